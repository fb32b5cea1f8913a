import { hashPurpose, purposeDigest } from '../crypto-hash.js'
import { shown } from './hash-error.js'
import { int32, int64, optional, repeated, sha256, text, texts } from './hash-primitives.js'
import { type HashingScheme, hashingSchemes } from './hash-scheme.js'
import { encodeCreate } from './node-hash.js'
import type { InputContract, Metadata } from './prepared-transaction.js'

/** Throws `TransactionHashError`. */
export function hashMetadata(metadata: Metadata, scheme: HashingScheme): Buffer {
  const { encodingVersion, coversMaxRecordTime } = hashingSchemes[scheme]
  return purposeDigest(
    hashPurpose.preparedTransaction,
    encodingVersion,
    texts(metadata.submitterInfo.actAs),
    text(metadata.submitterInfo.commandId),
    text(metadata.transactionUuid),
    int32(metadata.mediatorGroup | 0), // unsigned: the upper half is hashed as negative numbers
    text(metadata.synchronizerId),
    optional(metadata.minLedgerEffectiveTime, int64),
    optional(metadata.maxLedgerEffectiveTime, int64),
    int64(metadata.preparationTime),
    repeated(metadata.inputContracts, (input) =>
      Buffer.concat([int64(input.createdAt), hashInputContract(input, scheme)]),
    ),
    ...(coversMaxRecordTime ? [optional(metadata.maxRecordTime, int64)] : []),
  )
}

/** Without the creation time. */
const hashInputContract = ({ contract }: InputContract, scheme: HashingScheme): Buffer =>
  sha256(encodeCreate(contract, hashingSchemes[scheme], { name: `input contract ${shown(contract.contractId)}` }))
