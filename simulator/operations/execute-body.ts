import { deduplicationPeriod } from '../codec/commands.js'
import { transactionFormat } from '../codec/event-format.js'
import {
  absentable,
  base64,
  type Decoder,
  list,
  mapped,
  members,
  message,
  oneOf,
  optional,
  required,
  text,
} from '../json/decode.js'
import { type PartySignature, signatureFormats, signingAlgorithms } from '../ledger/submit/party-signature.js'
import { hashingSchemeName } from './hashing-scheme.js'
import { minLedgerTimeBody, noBound } from './min-ledger-time.js'

const signature: Decoder<PartySignature> = mapped(
  message({
    format: required(oneOf(signatureFormats)),
    signature: optional(base64, Buffer.alloc(0)),
    signedBy: optional(text, ''),
    signingAlgorithmSpec: required(oneOf(signingAlgorithms)),
  }),
  ({ signingAlgorithmSpec: algorithm, ...rest }) => ({ ...rest, algorithm }),
)

const partySignatures = mapped(
  message({
    signatures: optional(list(message({ party: optional(text, ''), signatures: optional(list(signature), []) })), []),
  }),
  ({ signatures }) => signatures,
)

const executeMembers = {
  preparedTransaction: required(base64),
  partySignatures: required(partySignatures),
  submissionId: required(text),
  hashingSchemeVersion: required(hashingSchemeName),
  // Required or not, by the simulator's behaviour.
  deduplicationPeriod: absentable(deduplicationPeriod),
  userId: optional(text, ''),
  minLedgerTime: optional(minLedgerTimeBody, noBound),
}

export const executeBody = members(executeMembers)

export type ExecuteBody = typeof executeBody extends Decoder<infer T> ? T : never

export const executeForTransactionBody = members({
  ...executeMembers,
  transactionFormat: absentable(transactionFormat),
})
