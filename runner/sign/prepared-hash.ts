import { decodePreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../interface/prepared-transaction/hash.js'
import { TransactionHashError } from '../../interface/prepared-transaction/hash-encoding.js'
import type { HashingScheme } from '../../interface/prepared-transaction/hash-scheme.js'
import { normalisePreparedTransaction } from '../../interface/prepared-transaction/normalise.js'
import { ProtobufError } from '../../lib/protobuf/protobuf.js'

export const schemeNamed = (name: unknown): HashingScheme | undefined =>
  (['V2', 'V3'] as const).find((scheme) => scheme === name)

/** Both in base64; undefined for an invalid transaction. */
export function preparedHash(prepared: string, scheme: HashingScheme): string | undefined {
  try {
    const decoded = normalisePreparedTransaction(decodePreparedTransaction(Buffer.from(prepared, 'base64')))
    return hashPreparedTransaction(decoded, scheme).toString('base64')
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof TransactionHashError) return undefined
    throw error
  }
}
