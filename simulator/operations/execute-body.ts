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
import { minLedgerTimeBody, noBound } from './min-ledger-time-body.js'

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
  hashingSchemeVersion: required(
    oneOf(['HASHING_SCHEME_VERSION_UNSPECIFIED', 'HASHING_SCHEME_VERSION_V2', 'HASHING_SCHEME_VERSION_V3']),
  ),
  // Whether it may be left out is a matter of the simulator's behaviour.
  deduplicationPeriod: absentable(deduplicationPeriod),
  userId: optional(text, ''),
  minLedgerTime: optional(minLedgerTimeBody, noBound),
}

/** The body of every operation that executes a prepared transaction. */
export const executeBody = members(executeMembers)

export type ExecuteBody = typeof executeBody extends Decoder<infer T> ? T : never

/** The same, with a say in how the transaction is shown. */
export const executeForTransactionBody = members({
  ...executeMembers,
  transactionFormat: absentable(transactionFormat),
})
