/** Mutants that verify signatures against another hash: one that omits a field, or one from the request. */

import { decodePreparedTransaction, encodePreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import type { Metadata, PreparedTransaction } from '../../interface/prepared-transaction/prepared-transaction.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { Interceptor } from '../participant/participant.js'
import { answerOf, bodyOf, inWords, withBody } from './alterations.js'
import type { Mutant } from './mutant.js'

/** The transaction with that field as it stands in the other one. */
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

/** Undefined: these are no bytes of one. */
function read(base64: unknown): PreparedTransaction | undefined {
  try {
    return typeof base64 === 'string' ? decodePreparedTransaction(Buffer.from(base64, 'base64')) : undefined
  } catch {
    // Whatever they are, they are not what was prepared here.
    return undefined
  }
}

const print = (prepared: PreparedTransaction): string => encodePreparedTransaction(prepared).toString('base64')

/** What differs in that field alone from what was prepared is executed as it was prepared. */
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

/** Whoever names the hash of something that was prepared has that executed. */
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

/** Everything of what was prepared, where only the UUID is still the same. */
const ofSameUuid: Restore = (given, original) =>
  given.metadata.transactionUuid === original.metadata.transactionUuid ? original : given

const ofAnotherHash = (name: string, sentence: string, interceptor: Interceptor): Mutant => ({
  ...{ name, sentence, interceptor },
  rule: 'EXE-SIGNATURE-VALID',
  operation: 'execute-and-wait-for-transaction',
  shows: 'acceptance',
})

export const otherHashes: readonly Mutant[] = [
  ofAnotherHash(
    'hash-of-the-caller-believed',
    'Where an execution names the hash of what was prepared, signatures are held against that one.',
    believing,
  ),
  ofAnotherHash(
    'hash-not-computed-anew',
    'Signatures are held against the hash that was told when a transaction of that UUID was prepared.',
    forgiving(ofSameUuid),
  ),
]

export const uncoveredFields: readonly Mutant[] = Object.entries(fields).map(([field, restore]) => ({
  name: `hash-without-${inWords(field)}`,
  rule: 'EXE-SIGNATURE-VALID',
  operation: 'execute-and-wait-for-transaction',
  sentence: `Signatures do not cover ${field}: an altered value is executed with the original signature.`,
  shows: 'acceptance',
  interceptor: forgiving(restore),
}))
