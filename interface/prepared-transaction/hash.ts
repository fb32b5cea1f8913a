import { hashPurpose, purposeDigest } from '../crypto-hash.js'
import { byte } from './hash-primitives.js'
import { type HashingScheme, hashingSchemes } from './hash-scheme.js'
import { hashMetadata } from './metadata-hash.js'
import type { PreparedTransaction } from './prepared-transaction.js'
import { hashTransaction } from './transaction-hash.js'

/**
 * The 32 bytes to sign, as observed on Canton 3.5.10: `preparedTransactionHash` in base64, `externalTransactionHash` in
 * hex. Hashes parts in the given order. Participants return sorted parts; sort other input with
 * `normalisePreparedTransaction` first. Throws `TransactionHashError`.
 */
export const hashPreparedTransaction = (
  { transaction, metadata }: PreparedTransaction,
  scheme: HashingScheme,
): Buffer =>
  purposeDigest(
    hashPurpose.preparedTransaction,
    byte(hashingSchemes[scheme].number),
    hashTransaction(transaction, scheme),
    hashMetadata(metadata, scheme),
  )
