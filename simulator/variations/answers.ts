/** How the answers of a participant may look. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson, printJson } from '../../interface/json.js'
import { alteringAnswers, everywhere } from '../deviations/alterations.js'
import type { Doorkeeper } from '../participant/participant.js'
import { alteringSuccesses, judged, type Variation, variation } from './variation.js'

const notRequired = 'Which CreatedEvent fields are required: not shown; nor which those of a transaction or of a state.'
const noTimes = 'The timestamp string format: not shown.'

const isNothing = (value: JsonValue): boolean =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Members that an answer always has. */
const needed = new Set(['updateId', 'completionOffset', 'transaction', 'createdEvent', 'newVettedPackages', 'events'])

/** Daml values are the client's own. */
const isPayload = (name: string): boolean => ['createArgument', 'contractKey', 'viewValue'].includes(name)

/** Every member of answers but Daml values, changed or (undefined) left out. */
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

const ofMembers = (change: (name: string, item: JsonValue) => JsonValue | undefined): Doorkeeper =>
  alteringAnswers(judged, (answer) => eachMember(answer, change))

const leftOut = variation(
  'empty-members-left-out',
  'Members that have nothing to tell are left out of answers: null, empty texts, empty lists, open bounds.',
  notRequired,
  ofMembers((name, item) => (needed.has(name) || !isNothing(item) ? item : undefined)),
)

const nulls = variation(
  'null-for-empty',
  'Members that have nothing to tell are null: empty texts and empty lists.',
  notRequired,
  ofMembers((name, item) => (needed.has(name) || !isNothing(item) ? item : null)),
)

const noUnpopulated = variation(
  'unpopulated-left-out',
  'What a lookup does not populate is not there.',
  'CreatedEvent rule 3: not populated; nothing of how that looks.',
  alteringAnswers(['contract-by-id'], (answer) =>
    eachMember(answer, (name, item) =>
      ['offset', 'nodeId', 'createdEventBlob', 'interfaceViews', 'acsDelta'].includes(name) ? undefined : item,
    ),
  ),
)

const withoutNames = (names: readonly string[]): Doorkeeper =>
  ofMembers((name, item) => (names.includes(name) ? undefined : item))

const fewEvents = variation(
  'events-with-few-members',
  'Events have no names of packages, no signatories, no observers, no times and no node.',
  notRequired,
  withoutNames(['packageName', 'signatories', 'observers', 'createdAt', 'nodeId', 'acsDelta', 'contractKey']),
)

const noIds = variation(
  'events-without-ids',
  'Events name neither their contract nor their template.',
  notRequired,
  withoutNames(['contractId', 'templateId']),
)

const fewTransactions = variation(
  'transactions-with-few-members',
  'A transaction has its events, its commandId and its hash alone.',
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
)

const fewPackages = variation(
  'vetted-packages-with-few-members',
  'Vetted packages have neither name nor version, and states neither participant nor synchronizer.',
  notRequired,
  alteringAnswers(['update-package-vetting'], (answer) =>
    eachMember(answer, (name, item) =>
      ['packageName', 'packageVersion', 'participantId', 'synchronizerId'].includes(name) ? undefined : item,
    ),
  ),
)

const withoutPast = (isLeftOut: (past: JsonObject) => boolean): Doorkeeper =>
  alteringAnswers(['update-package-vetting'], (answer) => {
    const { pastVettedPackages: past = null, ...rest } = isJsonObject(answer) ? answer : {}
    return isJsonObject(past) && !isLeftOut(past) ? { ...rest, pastVettedPackages: past } : rest
  })

const noPast = variation(
  'no-past-state',
  'pastVettedPackages is left out where it has no packages.',
  'Endpoint 5: pastVettedPackages is not required; empty, or not populated.',
  withoutPast(({ packages = null }) => isNothing(packages)),
)

const neverPast = variation(
  'past-state-never-told',
  'pastVettedPackages is always left out.',
  'Endpoint 5: pastVettedPackages is not required.',
  withoutPast(() => true),
)

const times = ['effectiveAt', 'recordTime', 'createdAt', 'validFromInclusive', 'validUntilExclusive']

const withTimes = (change: (time: string) => string): Doorkeeper =>
  alteringAnswers(judged, (answer) =>
    everywhere(answer, times, (time) => (typeof time === 'string' ? change(time) : time)),
  )

const offsets = variation(
  'times-with-offset',
  'Times are told with an offset in place of Z.',
  noTimes,
  withTimes((time) => time.replace(/Z$/, '+00:00')),
)

const elsewhere = variation(
  'times-of-another-zone',
  'Times are told as clocks show them five and a half hours further east.',
  noTimes,
  withTimes((time) => {
    const [, seconds, fraction = ''] = /^(.{19})(\.\d+)?Z$/.exec(time) ?? []
    if (seconds === undefined) return time
    const moved = new Date(Date.parse(`${seconds}Z`) + 330 * 60_000).toISOString().slice(0, 19)
    return `${moved}${fraction}+05:30`
  }),
)

const nanoseconds = variation(
  'times-in-nanoseconds',
  'Times are told with nine decimals.',
  noTimes,
  withTimes((time) => time.replace(/(?:\.(\d+))?Z$/, (_, decimals = '') => `.${String(decimals).padEnd(9, '0')}Z`)),
)

const milliseconds = variation(
  'times-as-numbers',
  'Times are told as texts of the milliseconds since 1970.',
  noTimes,
  withTimes((time) => (/^\d{4}-/.test(time) ? String(Date.parse(time)) : time)),
)

const executeTells = variation(
  'execute-tells-more',
  'execute answers with members that nobody knows.',
  'ExecuteSubmissionResponse: its fields are not shown.',
  alteringAnswers(['execute'], () => ({ status: 'ACCEPTED' })),
)

const moreMembers = variation(
  'more-members',
  'Answers have members that the text does not name.',
  'Nothing says that answers have no other members.',
  alteringAnswers(judged, (answer) => (isJsonObject(answer) ? { ...answer, servedBy: 'node-7' } : answer)),
)

const ownOffsets = variation(
  'completions-counted-apart',
  'Completions have offsets of their own, which are not those of transactions.',
  'completionOffset is the offset of the completion; nothing of that of the transaction.',
  ({ ask }) =>
    async (asked) => {
      const told = await ask(asked)
      const isMeant = asked.operation === 'submit-and-wait' || asked.operation === 'completions'
      if (!isMeant || told.status !== 200) return told
      const names = asked.operation === 'completions' ? ['offset'] : ['completionOffset']
      const moved = (offset: JsonValue): JsonValue => (typeof offset === 'number' ? offset + 1_000_000 : offset)
      return { ...told, text: printJson(everywhere(parseJson(told.text), names, moved)) }
    },
)

const eventOffsets = variation(
  'events-counted-apart',
  'Events of a transaction are numbered from one on, under offset.',
  'CreatedEvent and ArchivedEvent: offset is an integer, and nothing more.',
  alteringAnswers(['execute-and-wait-for-transaction'], (answer) => {
    const events = everywhere(answer, ['events'], (list) =>
      Array.isArray(list) ? list.map((event, index) => everywhere(event, ['offset'], () => index + 1)) : list,
    )
    return events
  }),
)

const hashes = variation(
  'hashes-in-base64',
  'externalTransactionHash is told in base64.',
  'externalTransactionHash is a text, and nothing more.',
  alteringAnswers(['execute-and-wait-for-transaction'], (answer) =>
    everywhere(answer, ['externalTransactionHash'], (hash) =>
      typeof hash === 'string' ? Buffer.from(hash, 'hex').toString('base64') : hash,
    ),
  ),
)

const spaced = variation(
  'spaced-answers',
  'Answers have white space around them, and a charset in their content type.',
  'JSON response body; nothing of how JSON is spelt.',
  alteringSuccesses((told) => ({
    ...told,
    contentType: 'application/json; charset=utf-8',
    text: `\n${told.text}\r\n\t `,
  })),
)

const escaped = variation(
  'escaped-texts',
  'Texts of answers begin with an escaped character.',
  'JSON response body; nothing of how JSON is spelt.',
  alteringSuccesses((told) => ({ ...told, text: told.text.replace(/(?<=[:[,]\s*)"([a-z0-9])/gi, escaping) })),
)

const escaping = (_: string, first: string): string => `"\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`

const turned = variation(
  'other-order',
  'Members of answers, and packages of a state, come in the opposite order.',
  'Nothing says in which order members, or packages, come.',
  alteringAnswers(judged, (answer) => everywhere(reversed(answer), ['packages'], turnedList)),
)

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

const successes = variation(
  'other-successes',
  'What is carried out is answered with 201, and what will be with 202.',
  'Nothing says which status a success has.',
  alteringSuccesses((told, { operation }) => {
    const status = operation === 'execute' ? 202 : operation === 'contract-by-id' ? 200 : 201
    return { ...told, status }
  }),
)

const mediaTypes = variation(
  'own-media-type',
  'Answers are of a media type of their own, which is JSON.',
  'Only requests are said to use application/json.',
  alteringSuccesses((told) => ({ ...told, contentType: 'application/vnd.ledger.v2+json' })),
)

export const variationsOfAnswers: readonly Variation[] = [
  ...[leftOut, nulls, noUnpopulated, fewEvents, noIds, fewTransactions, fewPackages, noPast, neverPast],
  ...[offsets, elsewhere, nanoseconds, milliseconds, executeTells, moreMembers, ownOffsets, eventOffsets, hashes],
  ...[spaced, escaped, turned, successes, mediaTypes],
]
