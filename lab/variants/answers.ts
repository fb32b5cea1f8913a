/** Variants of the members and formats of answers. */
import { isJsonObject, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { Interceptor, KnownOperation } from '../../simulator/participant/participant.js'
import { changeMembers } from '../interceptors/bodies.js'
import { alterAnswers, replaceSuccesses } from '../interceptors/interceptors.js'
import { judged } from '../interceptors/names.js'
import { type Variant, variant } from './variant.js'

const notRequired =
  'Which CreatedEvent fields are required: not shown. The same applies to JsTransaction and VettedPackages.'
const noTimes = 'The timestamp string format: not shown.'

const isNothing = (value: JsonValue): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

const needed = new Set(['updateId', 'completionOffset', 'transaction', 'createdEvent', 'newVettedPackages', 'events'])

const isPayload = (name: string): boolean => ['createArgument', 'contractKey', 'viewValue'].includes(name)

/** Changes all members outside Daml values; undefined removes a member. */
function eachMember(value: JsonValue, change: (name: string, item: JsonValue) => JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return value.map((item) => eachMember(item, change))
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
    const changed = change(name, item)
    if (changed === undefined) return []
    return [[name, isPayload(name) ? changed : eachMember(changed, change)]]
  })
  return Object.fromEntries(kept)
}

const ofMembers = (change: (name: string, item: JsonValue) => JsonValue | undefined): Interceptor =>
  alterAnswers(judged, (answer) => eachMember(answer, change))

const withoutNames = (names: readonly string[], operations: readonly KnownOperation[] = judged): Interceptor =>
  alterAnswers(operations, (answer) => eachMember(answer, (name, item) => (names.includes(name) ? undefined : item)))

const withoutEmptyPast: Interceptor = alterAnswers(['update-package-vetting'], (answer) => {
  const { pastVettedPackages: past = null, ...rest } = isJsonObject(answer) ? answer : {}
  const isEmpty = !isJsonObject(past) || isNothing(past['packages'] ?? null)
  return isEmpty ? rest : { ...rest, pastVettedPackages: past }
})

const times = ['effectiveAt', 'recordTime', 'createdAt', 'validFromInclusive', 'validUntilExclusive']

const withTimes = (change: (time: string) => string): Interceptor =>
  alterAnswers(judged, (answer) =>
    changeMembers(answer, times, (time) => (typeof time === 'string' ? change(time) : time)),
  )

const escaping = (_: string, first: string): string => `"\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`

const turnedList = (list: JsonValue): JsonValue => (Array.isArray(list) ? list.toReversed() : list)

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, item]) => [name, reversed(item)]),
  )
}

export const variantsOfAnswers: readonly Variant[] = [
  variant(
    'empty-members-left-out',
    'Responses omit fields whose value is null, an empty string, an empty array or an open bound.',
    notRequired,
    ofMembers((name, item) => (needed.has(name) || !isNothing(item) ? item : undefined)),
  ),
  variant(
    'null-for-empty',
    'Responses contain null in place of empty strings and empty arrays.',
    notRequired,
    ofMembers((name, item) => (needed.has(name) || !isNothing(item) ? item : null)),
  ),
  variant(
    'unpopulated-left-out',
    'contract-by-id omits unpopulated fields.',
    'CreatedEvent rule 3: not populated; the text does not define the form.',
    withoutNames(['offset', 'nodeId', 'createdEventBlob', 'interfaceViews', 'acsDelta'], ['contract-by-id']),
  ),
  variant(
    'events-with-few-members',
    'Events have no packageName, signatories, observers, createdAt and nodeId.',
    notRequired,
    withoutNames(['packageName', 'signatories', 'observers', 'createdAt', 'nodeId', 'acsDelta', 'contractKey']),
  ),
  variant(
    'events-without-ids',
    'Events have neither contractId nor templateId.',
    notRequired,
    withoutNames(['contractId', 'templateId']),
  ),
  variant(
    'transactions-with-few-members',
    'A transaction has only events, commandId and externalTransactionHash.',
    notRequired,
    withoutNames([
      'effectiveAt',
      'recordTime',
      'offset',
      'synchronizerId',
      'workflowId',
      'traceContext',
      'paidTrafficCost',
    ]),
  ),
  variant(
    'vetted-packages-with-few-members',
    'Vetted packages have no name and version; vetting states have no participantId and synchronizerId.',
    notRequired,
    withoutNames(['packageName', 'packageVersion', 'participantId', 'synchronizerId'], ['update-package-vetting']),
  ),
  variant(
    'no-past-state',
    'pastVettedPackages is omitted if it contains no packages.',
    'Endpoint 5: pastVettedPackages is not required; empty, or not populated.',
    withoutEmptyPast,
  ),
  variant(
    'times-with-offset',
    'Timestamps have an offset in place of Z.',
    noTimes,
    withTimes((time) => time.replace(/Z$/, '+00:00')),
  ),
  variant(
    'times-of-another-zone',
    'Timestamps use the time zone +05:30.',
    noTimes,
    withTimes((time) => {
      const [, seconds, fraction = ''] = /^(.{19})(\.\d+)?Z$/.exec(time) ?? []
      if (seconds === undefined) return time
      const moved = new Date(Date.parse(`${seconds}Z`) + 330 * 60_000).toISOString().slice(0, 19)
      return `${moved}${fraction}+05:30`
    }),
  ),
  variant(
    'times-in-nanoseconds',
    'Timestamps have nine decimals.',
    noTimes,
    withTimes((time) => time.replace(/(?:\.(\d+))?Z$/, (_, decimals = '') => `.${String(decimals).padEnd(9, '0')}Z`)),
  ),
  variant(
    'times-as-numbers',
    'Timestamps are strings of milliseconds since 1970.',
    noTimes,
    withTimes((time) => (/^\d{4}-/.test(time) ? String(Date.parse(time)) : time)),
  ),
  variant(
    'execute-returns-more',
    'execute returns unknown members.',
    'ExecuteSubmissionResponse: its fields are not shown.',
    alterAnswers(['execute'], () => ({ status: 'ACCEPTED' })),
  ),
  variant(
    'more-members',
    'Responses have members that the text does not name.',
    'No sentence excludes further members of a response.',
    alterAnswers(judged, (answer) => (isJsonObject(answer) ? { ...answer, servedBy: 'node-7' } : answer)),
  ),
  variant(
    'completions-counted-apart',
    'The offset of a completion differs from that of its transaction.',
    'completionOffset is the offset of the completion; no sentence relates it to the transaction.',
    replaceSuccesses(['submit-and-wait', 'completions'], (answer, { operation }) => {
      const names = operation === 'completions' ? ['offset'] : ['completionOffset']
      const moved = (offset: JsonValue): JsonValue => (typeof offset === 'number' ? offset + 1_000_000 : offset)
      return { ...answer, text: printJson(changeMembers(parseJson(answer.text), names, moved)) }
    }),
  ),
  variant(
    'events-counted-apart',
    'The offset of an event is its number in the transaction.',
    'CreatedEvent and ArchivedEvent: offset integer; no further rule.',
    alterAnswers(['execute-and-wait-for-transaction'], (answer) =>
      changeMembers(answer, ['events'], (list) =>
        Array.isArray(list) ? list.map((event, index) => changeMembers(event, ['offset'], () => index + 1)) : list,
      ),
    ),
  ),
  variant(
    'hashes-in-base64',
    'externalTransactionHash is encoded in base64.',
    'externalTransactionHash string; no further rule.',
    alterAnswers(['execute-and-wait-for-transaction'], (answer) =>
      changeMembers(answer, ['externalTransactionHash'], (hash) =>
        typeof hash === 'string' ? Buffer.from(hash, 'hex').toString('base64') : hash,
      ),
    ),
  ),
  variant(
    'spaced-answers',
    'Response bodies have surrounding whitespace, and a charset in their Content-Type.',
    'JSON response body; no sentence restricts its formatting.',
    replaceSuccesses(judged, (returned) => ({
      ...returned,
      contentType: 'application/json; charset=utf-8',
      text: `\n${returned.text}\r\n\t `,
    })),
  ),
  variant(
    'escaped-texts',
    'Strings in responses start with an escaped character.',
    'JSON response body; no sentence restricts its formatting.',
    replaceSuccesses(judged, (returned) => ({
      ...returned,
      text: returned.text.replace(/(?<=[:[,]\s*)"([a-z0-9])/gi, escaping),
    })),
  ),
  variant(
    'other-order',
    'Members of responses, and packages of a vetting state, are in reverse order.',
    'No sentence defines an order of members or packages.',
    alterAnswers(judged, (answer) => changeMembers(reversed(answer), ['packages'], turnedList)),
  ),
  variant(
    'other-successes',
    'A successful response has the status 201, or 202 for execute.',
    'No sentence defines the status of a successful response.',
    replaceSuccesses(judged, (returned, { operation }) => {
      const status = operation === 'execute' ? 202 : operation === 'contract-by-id' ? 200 : 201
      return { ...returned, status }
    }),
  ),
  variant(
    'own-media-type',
    'Responses have a vendor media type with the suffix +json.',
    'The text requires application/json for request bodies only.',
    replaceSuccesses(judged, (returned) => ({ ...returned, contentType: 'application/vnd.ledger.v2+json' })),
  ),
]
