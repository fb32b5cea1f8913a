import { hashPurpose, purposeDigest } from '../crypto-hash.js'
import { byte } from './hash-primitives.js'
import { type HashingScheme, hashingSchemes } from './hash-scheme.js'
import { hashMetadata } from './metadata-hash.js'
import type { PreparedTransaction } from './prepared-transaction.js'
import { hashTransaction } from './transaction-hash.js'

/**
 * The 32 bytes that the acting party signs, as the reference participant 3.5.10 computes them; in base64 the
 * `preparedTransactionHash`, in hex the `externalTransactionHash`. Parties, contracts and maps are hashed in the order given:
 * a participant puts them in order first (`normalisePreparedTransaction`), and what it prepares is in order.
 * Throws `TransactionHashError`.
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
