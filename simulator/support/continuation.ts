/** Tokens with which a reader goes on where a list of contracts ended. Opaque to readers. */
import { createHash } from 'node:crypto'
import { bytesField, ProtobufError, readMessage, varintField } from '../../lib/protobuf/protobuf.js'
import { invalidArgument } from '../base/errors.js'

export interface Continuation {
  /** Of the last contract that was handed out. */
  position: bigint
  /** The offset at which the contracts were active. */
  activeAt: bigint
}

/** What the token is good for goes into it, so that another request cannot use it. */
const checksum = (question: string): Buffer => createHash('sha256').update(question).digest().subarray(0, 4)

export function encodeContinuation({ position, activeAt }: Continuation, question: string): Buffer {
  const cursor = Buffer.concat([varintField(1, position), varintField(2, activeAt)])
  return Buffer.concat([bytesField(1, cursor), bytesField(2, checksum(question))])
}

/** Throws `INVALID_ARGUMENT` for a token that was not given for that question. */
export function decodeContinuation(token: Buffer, question: string): Continuation {
  try {
    const [cursor, sum] = readMessage(token)
    if (cursor?.wire === 'bytes' && sum?.wire === 'bytes' && sum.value.equals(checksum(question))) {
      const [position, activeAt] = readMessage(cursor.value)
      if (position?.wire === 'varint' && activeAt?.wire === 'varint') {
        return { position: position.value, activeAt: activeAt.value }
      }
    }
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
  }
  throw invalidArgument('service', 'the continuation token is not one that was given for this request')
}
