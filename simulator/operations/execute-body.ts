import {
  decodePreparedTransaction,
  type Outline,
  outlineOf,
  type PreparedTransaction,
} from '../../interface/prepared-transaction/codec.js'
import { normalisePreparedTransaction } from '../../interface/prepared-transaction/normalise.js'
import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import { MissingPartError } from '../../lib/protobuf/protobuf-message.js'
import { invalidArgument } from '../base/errors.js'
import { deduplicationPeriod } from '../codec/commands.js'
import { transactionFormat } from '../codec/event-format.js'
import {
  absentable,
  base64,
  type DecodedBy,
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
import { minLedgerTimeBody, noBound } from './submission-body.js'

export const signature: Decoder<PartySignature> = mapped(
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

export type ExecuteBody = DecodedBy<typeof executeBody>

export const executeForTransactionBody = members({
  ...executeMembers,
  transactionFormat: absentable(transactionFormat),
})

export interface PreparedBytes {
  outline: Outline
  /** Normalized; undefined: a node or value lacks content. */
  prepared: PreparedTransaction | undefined
}

/** Throws `LedgerError`. */
export function readPreparedBytes(bytes: Buffer): PreparedBytes {
  try {
    const outline = outlineOf(bytes)
    return { outline, prepared: readWhole(bytes) }
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw invalidArgument('conversion', 'Cannot parse prepared_transaction')
  }
}

function readWhole(bytes: Buffer): PreparedTransaction | undefined {
  try {
    return normalisePreparedTransaction(decodePreparedTransaction(bytes))
  } catch (error) {
    if (error instanceof MissingPartError) return undefined
    throw error
  }
}
