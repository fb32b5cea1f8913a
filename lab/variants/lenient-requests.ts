/** Variants that accept what the reference rejects: values, repetitions and callers. */
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { InterceptedAnswer, Interceptor, KnownOperation } from '../../simulator/participant/participant.js'
import { bodyOf, codeOf, json } from '../interceptors/bodies.js'
import { alterMembers, replaceAnswers } from '../interceptors/interceptors.js'
import { executing, freshId, isOneOf } from '../interceptors/names.js'
import { type Variant, variant } from './variant.js'

const submitting: readonly KnownOperation[] = ['submit-and-wait']
const all: readonly KnownOperation[] = [...submitting, ...executing]
const noGrammars = 'The grammar of LedgerString, PartyIdString and UserIdString: not shown.'

/** A valid id for any string. */
const encodeId = (text: string): string => `x${Buffer.from(text, 'utf8').toString('hex').slice(0, 120)}`

const isParty = (text: string): boolean => /^[\w: -]{1,255}$/.test(text)

const formats: Record<string, string> = { ED25519: 'CONCAT', EC_DSA_SHA_256: 'DER', EC_DSA_SHA_384: 'DER' }

function withFormats(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withFormats)
  if (!isJsonObject(value)) return value
  const { signingAlgorithmSpec: algorithm = null } = value
  const form = formats[String(algorithm).replace('SIGNING_ALGORITHM_SPEC_', '')]
  const isText = value['format'] === undefined || typeof value['format'] === 'string'
  const described = form !== undefined && isText ? { ...value, format: `SIGNATURE_FORMAT_${form}` } : value
  return Object.fromEntries(Object.entries(described).map(([name, item]) => [name, withFormats(item)]))
}

function onlyBlob(item: JsonValue): JsonValue {
  if (!isJsonObject(item) || typeof item['createdEventBlob'] !== 'string') return item
  const isRight = ['contractId', 'templateId', 'synchronizerId'].every((name) =>
    ['undefined', 'string'].includes(typeof item[name]),
  )
  return isRight ? { createdEventBlob: item['createdEventBlob'], contractId: '' } : item
}

/** Retries a request without rights with earlier tokens. */
const withoutRights =
  (names: readonly KnownOperation[]): Interceptor =>
  ({ handle }) => {
    const tokens = new Set<string>()
    return async (request) => {
      const answer = await handle(request)
      if (!isOneOf(request, names)) return answer
      const own = request.headers['authorization']
      if (answer.status === 200 && own !== undefined) tokens.add(own)
      // Unknown users, and other users than that of the token, stay rejected.
      if (answer.status !== 403 || answer.text.includes('invalid token') || answer.text.includes('user')) return answer
      for (const authorization of tokens) {
        const again = await handle({ ...request, headers: { ...request.headers, authorization } })
        if (again.status !== 403) return again
      }
      return answer
    }
  }

export const variantsOfLenientRequests: readonly Variant[] = [
  variant(
    'ids-of-any-text',
    'Any string is a valid id.',
    noGrammars,
    alterMembers(all, ['commandId', 'workflowId', 'submissionId', 'userId'], (id) =>
      typeof id !== 'string' || id === '' || /^[\w.:# /-]{1,100}$/.test(id) ? id : encodeId(id),
    ),
  ),
  variant(
    'command-ids-may-be-empty',
    'The participant replaces an empty commandId by one of its own.',
    noGrammars,
    alterMembers(submitting, ['commandId'], (id) => (id === '' ? freshId('chosen') : id)),
  ),
  variant(
    'bad-parties-ignored',
    'Invalid parties among several parties are ignored.',
    noGrammars,
    alterMembers(['submit-and-wait', 'contract-by-id'], ['actAs', 'readAs', 'queryingParties'], (list, member) => {
      if (!Array.isArray(list)) return list
      const good = list.filter((item) => typeof item !== 'string' || isParty(item))
      return good.length > 0 || member === 'readAs' ? good : list
    }),
  ),
  variant(
    'many-passes',
    'The limit of tapsMaxPasses is the largest int32.',
    'Numeric limits of the participant configuration: not shown.',
    alterMembers(submitting, ['tapsMaxPasses'], (passes) =>
      typeof passes === 'number' && passes > 4 && passes < 2 ** 31 ? 4 : passes,
    ),
    { hasOwnTapsLimit: true },
  ),
  variant(
    'no-passes',
    'A tapsMaxPasses of zero or less selects the default.',
    'No sentence requires a positive tapsMaxPasses.',
    alterMembers(submitting, ['tapsMaxPasses'], (passes) =>
      typeof passes === 'number' && passes <= 0 && passes >= -(2 ** 31) ? undefined : passes,
    ),
  ),
  variant(
    'preferences-are-wishes',
    'Invalid and unknown package ids in packageIdSelectionPreference are ignored.',
    'packageIdSelectionPreference is a preference of the client.',
    alterMembers(submitting, ['packageIdSelectionPreference'], (list) =>
      Array.isArray(list) && list.every((item) => typeof item === 'string')
        ? [...new Set(list)].filter((item) => /^[0-9a-f]{64}$/.test(item))
        : list,
    ),
  ),
  variant(
    'unknown-periods-ignored',
    'A deduplicationPeriod of an unknown kind or a negative duration is ignored.',
    'Other kinds of deduplication period, and limits of durations: not shown.',
    alterMembers(all, ['deduplicationPeriod'], (period) => {
      const text = JSON.stringify(period) ?? ''
      return /"Forever"|"DeduplicationOffset"|"seconds":-/.test(text)
        ? { DeduplicationDuration: { value: { seconds: 30, nanos: 0 } } }
        : period
    }),
  ),
  variant(
    'times-without-zone',
    'A timestamp without a time zone is in UTC, and a date is the start of its day.',
    'The timestamp string format of minLedgerTimeAbs: not shown.',
    alterMembers(submitting, ['minLedgerTimeAbs'], (time) => {
      if (typeof time !== 'string') return time
      const [, day, clock = 'T00:00:00'] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d)?$/.exec(time) ?? []
      return day === undefined ? time : `${day}${clock}Z`
    }),
  ),
  variant(
    'far-times-at-once',
    'A minLedgerTime beyond the window of the synchronizer is reduced to that window.',
    'minLedgerTime influences the chosen time; no sentence requires a rejection.',
    alterMembers(executing, ['minLedgerTime'], (time) =>
      (JSON.stringify(time) ?? '').includes('"2090-') ? undefined : time,
    ),
  ),
  variant(
    'formats-of-signatures-ignored',
    'The format of a signature is ignored.',
    'The allowed values of format and signingAlgorithmSpec: not shown.',
    alterMembers(executing, ['partySignatures'], withFormats),
  ),
  variant(
    'disclosures-read-from-blobs',
    'Fields of a disclosed contract other than createdEventBlob are ignored.',
    'Purpose of the other fields of DisclosedContract: not shown.',
    alterMembers(submitting, ['disclosedContracts'], (list) => (Array.isArray(list) ? list.map(onlyBlob) : list)),
  ),
  variant(
    'synchronizers-with-version',
    'A synchronizer id with a protocol version is accepted.',
    'Grammar of a synchronizer id: not shown.',
    alterMembers(['submit-and-wait', 'update-package-vetting'], ['synchronizerId'], (id) =>
      typeof id === 'string' ? id.replace(/::35-0$/, '') : id,
    ),
  ),
  variant(
    'duplicates-answered-with-the-first',
    'A duplicate returns the first response, without a second effect.',
    'The change id and its deduplication period are named; no sentence defines the response to a duplicate.',
    replaceAnswers(submitting, (answer, request, { participant: { ledger } }) => {
      if (codeOf(answer) !== 'DUPLICATE_COMMAND') return answer
      const { commandId, actAs = [] } = bodyOf(request) ?? {}
      const parties = [actAs].flat().map(String)
      const first = [...ledger.state.transactions.values()].findLast(
        ({ submission }) =>
          submission.commandId === commandId &&
          submission.actAs.toSorted().join() === [...new Set(parties)].sort().join(),
      )
      return first ? json(200, { updateId: first.updateId, completionOffset: first.offset }) : answer
    }),
  ),
  variant(
    'executions-answered-with-the-first',
    'A repeated execution returns the first response.',
    'submissionId is fresh for each retry; no sentence defines the response to a retry.',
    ({ handle }) => {
      const known = new Map<string, InterceptedAnswer>()
      return async (request) => {
        const answer = await handle(request)
        if (request.operation !== 'execute-and-wait-for-transaction') return answer
        const prepared = String(bodyOf(request)?.['preparedTransaction'] ?? '')
        if (answer.status === 200) known.set(prepared, answer)
        const isAgain =
          answer.text.includes('DUPLICATE_COMMAND') || answer.text.includes('DUPLICATE_CONFIRMATION_REQUEST')
        return isAgain ? (known.get(prepared) ?? answer) : answer
      }
    },
  ),
  variant(
    'anybody-may-look-up',
    'A valid token authorizes lookups as any party.',
    'Authentication rule 2 names actAs and readAs, not queryingParties.',
    withoutRights(['contract-by-id']),
  ),
  variant(
    'anybody-may-hand-in',
    'A valid token authorizes execution of transactions that a party has signed.',
    'Authentication rule 2 names actAs and readAs; the execute operations have neither.',
    withoutRights(executing),
  ),
]
