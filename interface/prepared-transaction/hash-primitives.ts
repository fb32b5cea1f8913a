/** Values of variable length follow their length or count. */
import { int32 } from '../crypto-hash.js'
import type { DamlIdentifier } from '../daml-value.js'
import { shown, TransactionHashError } from './hash-error.js'

export { sha256 } from '../../lib/sha256.js'
export { int32 }

export const byte = (value: number): Buffer => Buffer.from([value])

export const bool = (value: boolean): Buffer => byte(value ? 1 : 0)

/** Signed or unsigned. */
export function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value))
  return bytes
}

const sized = (bytes: Buffer): Buffer => Buffer.concat([int32(bytes.length), bytes])

export const text = (value: string): Buffer => sized(Buffer.from(value))

export function contractId(value: string): Buffer {
  if (/^([0-9a-f]{2})*$/.test(value)) return sized(Buffer.from(value, 'hex'))
  throw new TransactionHashError(
    'MALFORMED_BYTES',
    `contract id ${shown(value)} cannot be hashed: contract ids are lower-case hex`,
  )
}

/** `what` names it in the error. */
export function hash32(value: Buffer, what: string): Buffer {
  if (value.length === 32) return value
  throw new TransactionHashError('MALFORMED_BYTES', `${what} has ${value.length} bytes; a hash has 32`)
}

export const optional = <T>(value: T | undefined, encode: (value: T) => Buffer): Buffer =>
  value === undefined ? byte(0) : Buffer.concat([byte(1), encode(value)])

export const repeated = <T>(items: readonly T[], encode: (item: T) => Buffer): Buffer =>
  Buffer.concat([int32(items.length), ...items.map(encode)])

export const texts = (items: readonly string[]): Buffer => repeated(items, text)

export const identifier = ({ packageId, module, entity }: DamlIdentifier): Buffer =>
  Buffer.concat([text(packageId), texts(module.split('.')), texts(entity.split('.'))])
