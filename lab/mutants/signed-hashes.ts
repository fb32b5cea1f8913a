/** Mutants that verify signatures against a wrong hash. */
import {
  encodePreparedTransaction,
  type Metadata,
  type PreparedTransaction,
  readPreparedTransaction,
} from '../../interface/prepared-transaction/codec.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { Interceptor } from '../../simulator/participant/participant.js'
import { answerOf, bodyOf, withBody } from '../interceptors/bodies.js'
import { hyphenate } from '../interceptors/names.js'
import { fault, type Mutant } from './mutant.js'

type Restore = (given: PreparedTransaction, original: PreparedTransaction) => PreparedTransaction

const ofMetadata =
  (field: keyof Metadata): Restore =>
  (given, { metadata }) => ({ ...given, metadata: { ...given.metadata, [field]: metadata[field] } })

const ofSubmitter =
  (field: keyof Metadata['submitterInfo']): Restore =>
  (given, { metadata: { submitterInfo } }) => ({
    ...given,
    metadata: { ...given.metadata, submitterInfo: { ...given.metadata.submitterInfo, [field]: submitterInfo[field] } },
  })

const ofTransaction =
  (field: keyof PreparedTransaction['transaction']): Restore =>
  (given, { transaction }) => ({ ...given, transaction: { ...given.transaction, [field]: transaction[field] } })

const fields: Readonly<Record<string, Restore>> = {
  commandId: ofSubmitter('commandId'),
  actAs: ofSubmitter('actAs'),
  mediatorGroup: ofMetadata('mediatorGroup'),
  transactionUuid: ofMetadata('transactionUuid'),
  preparationTime: ofMetadata('preparationTime'),
  minLedgerEffectiveTime: ofMetadata('minLedgerEffectiveTime'),
  maxLedgerEffectiveTime: ofMetadata('maxLedgerEffectiveTime'),
  inputContracts: ofMetadata('inputContracts'),
  nodes: ofTransaction('nodes'),
  nodeSeeds: ofTransaction('nodeSeeds'),
  version: ofTransaction('version'),
}

/** Undefined: not a prepared transaction. */
const read = (base64: unknown): PreparedTransaction | undefined =>
  typeof base64 === 'string' ? readPreparedTransaction(base64) : undefined

const print = (prepared: PreparedTransaction): string => encodePreparedTransaction(prepared).toString('base64')

/** Executes the original, if the request differs from it only in the restored field. */
const forgiving =
  (restore: Restore): Interceptor =>
  ({ handle }) => {
    const originals = new Map<string, PreparedTransaction>()
    return async (request) => {
      const given = request.operation?.startsWith('execute') ? bodyOf(request) : undefined
      const prepared = read(given?.['preparedTransaction'])
      if (given && prepared && !originals.has(print(prepared))) {
        for (const [bytes, original] of originals) {
          if (print(restore(prepared, original)) === bytes)
            return handle(withBody(request, { ...given, preparedTransaction: bytes }))
        }
      }
      const answer = await handle(request)
      const fresh = request.operation === 'prepare' ? read(answerOf(answer)?.['preparedTransaction']) : undefined
      if (fresh) originals.set(print(fresh), fresh)
      return answer
    }
  }

const believing: Interceptor = ({ handle }) => {
  const prepared = new Map<JsonValue, JsonValue>()
  return async (request) => {
    const given = request.operation?.startsWith('execute') ? bodyOf(request) : undefined
    const named = prepared.get(given?.['preparedTransactionHash'] ?? null)
    const answer = await handle(given && named ? withBody(request, { ...given, preparedTransaction: named }) : request)
    const { preparedTransaction, preparedTransactionHash } =
      (request.operation === 'prepare' ? answerOf(answer) : undefined) ?? {}
    if (preparedTransaction && preparedTransactionHash) prepared.set(preparedTransactionHash, preparedTransaction)
    return answer
  }
}

const ofSameUuid: Restore = (given, original) =>
  given.metadata.transactionUuid === original.metadata.transactionUuid ? original : given

const ofAnotherHash = (name: string, sentence: string, interceptor: Interceptor): Mutant => ({
  name,
  sentence,
  interceptor,
  ...fault('execute-and-wait-for-transaction', 'EXE-SIGNATURE-VALID', 'acceptance'),
})

export const wrongHashes: readonly Mutant[] = [
  ofAnotherHash(
    'hash-of-the-caller-believed',
    'Signatures are verified against the hash in the request, if a prepared transaction has it.',
    believing,
  ),
  ofAnotherHash(
    'hash-not-computed-anew',
    'Signatures are verified against the hash that prepare returned for a transaction with the same UUID.',
    forgiving(ofSameUuid),
  ),
]

export const uncoveredFields: readonly Mutant[] = Object.entries(fields).map(([field, restore]) =>
  ofAnotherHash(
    `hash-without-${hyphenate(field)}`,
    `Signatures do not cover ${field}: an altered value is executed with the original signature.`,
    forgiving(restore),
  ),
)
