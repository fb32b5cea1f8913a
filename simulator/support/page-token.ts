/** Pages of contracts and updates. */
import { createHash } from 'node:crypto'
import { bytesField, ProtobufError, readMessage, varintField } from '../../lib/protobuf/protobuf.js'
import { invalidArgument } from '../base/errors.js'

export interface Continuation {
  /** Of the last item. */
  position: bigint
  /** An offset that all pages share. */
  bound: bigint
}

/** Binds a token to its request. */
const checksum = (question: string): Buffer => createHash('sha256').update(question).digest().subarray(0, 4)

export function encodeContinuation({ position, bound }: Continuation, question: string): string {
  const cursor = Buffer.concat([varintField(1, position), varintField(2, bound)])
  return Buffer.concat([bytesField(1, cursor), bytesField(2, checksum(question))]).toString('base64')
}

/** Undefined without a token. Throws `INVALID_ARGUMENT`. */
export function decodeContinuation(token: Buffer | undefined, question: string): Continuation | undefined {
  if (!token?.length) return undefined
  try {
    const [cursor, sum] = readMessage(token)
    if (cursor?.wire === 'bytes' && sum?.wire === 'bytes' && sum.value.equals(checksum(question))) {
      const [position, bound] = readMessage(cursor.value)
      if (position?.wire === 'varint' && bound?.wire === 'varint') {
        return { position: position.value, bound: bound.value }
      }
    }
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
  }
  throw invalidArgument('service', 'the continuation token is not one that was given for this request')
}

/** The interface text leaves the sizes open. */
const pageSizes = { usual: 100, most: 1000 }

/** Throws `INVALID_ARGUMENT`. */
export function pageSize(wished: bigint | undefined): number {
  const size = Number(wished ?? pageSizes.usual)
  if (size <= 0) throw invalidArgument('service', `Requested page size must be positive, but got ${size}`)
  if (size <= pageSizes.most) return size
  throw invalidArgument('service', `Requested page size must not exceed ${pageSizes.most}, but got ${size}`)
}
