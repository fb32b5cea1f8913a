/** Ignores generated values (ids, times, hashes, offsets) and words of messages. */
import { excerpt, isJsonObject, type JsonObject, type JsonValue, printJson } from '../../../lib/json/json.js'
import type { RecordedAnswer } from './replay-recording.js'

/** Only the type of the value is compared. */
const madeUp = new Set([
  ...['traceId', 'correlationId', 'traceparent', 'tracestate', 'submissionId', 'updateId', 'nextPageToken'],
  ...[
    'offset',
    'completionOffset',
    'paidTrafficCost',
    'createdEventBlob',
    'contractKeyHash',
    'externalTransactionHash',
  ],
  ...['topologySerial', 'topologyTransactions', 'multiHash', 'preparedTransaction', 'preparedTransactionHash'],
  ...['cause', 'message', 'requestId'],
])

/** Members of an error context; the test compares only the names of other members. */
const steadyContext = new Set(['category', 'definite_answer', 'field_name', 'error_id', 'accepted', 'ledger_api_error'])

/** The error context in a completion's status, and the begin of its period. */
const isDetail = /\/details\/\d+\/(?:value|valueDecoded\/metadata\/\w+)$|\/DeduplicationOffset\/value$/

/** With their places. */
export function differences(expected: RecordedAnswer, actual: RecordedAnswer): string[] {
  const found: string[] = []
  if (expected.status !== actual.status) found.push(differs('status', expected.status, actual.status))
  const types = [mediaType(expected.contentType), mediaType(actual.contentType)] as const
  if (types[0] !== types[1]) found.push(differs('media type', ...types))
  const isText = typeof expected.body === 'string' && typeof actual.body === 'string'
  return isText ? found : [...found, ...inValue('', expected.body, actual.body)]
}

const mediaType = (header: string | null): string => (header?.split(';')[0] ?? '').trim().toLowerCase()

const differs = (place: string, expected: JsonValue, actual: JsonValue): string =>
  `${place}: ${excerpt(expected, 160)} expected, ${excerpt(actual, 160)} found`

function inValue(place: string, expected: JsonValue, actual: JsonValue): string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) return inArray(place, expected, actual)
  if (isJsonObject(expected) && isJsonObject(actual)) return inObject(place, expected, actual)
  return steady(expected) === steady(actual) ? [] : [differs(place, expected, actual)]
}

function inObject(place: string, expected: JsonObject, actual: JsonObject): string[] {
  return [...new Set([...Object.keys(expected), ...Object.keys(actual)])].flatMap((name) => {
    const [here, there] = [own(expected, name), own(actual, name)]
    const inner = `${place}/${name}`
    if (here === undefined) return [`${inner}: not expected`]
    if (there === undefined) return [`${inner}: missing`]
    return inMember(inner, name, here, there)
  })
}

const own = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

function inMember(place: string, name: string, expected: JsonValue, actual: JsonValue): string[] {
  if (place === '/resources') return inValue(place, kindsOfResources(expected), kindsOfResources(actual))
  if (place === '/errors') return inValue(place, withoutHost(expected), withoutHost(actual))
  const isContext = place === `/context/${name}` || isDetail.test(place)
  if (!(isContext ? !steadyContext.has(name) : madeUp.has(name))) return inValue(place, expected, actual)
  const kinds = [kindOf(expected), kindOf(actual)] as const
  return kinds[0] === kinds[1] || (isContext && kinds.every(isText)) ? [] : [differs(`kind of ${place}`, ...kinds)]
}

/** Lists of scalars and packages are sets. */
function inArray(place: string, expected: JsonValue[], actual: JsonValue[]): string[] {
  if (expected.length !== actual.length) {
    return [`${place}: ${expected.length} items expected, ${actual.length} found: ${excerpt(actual, 160)}`]
  }
  const isSet = expected.every((item) => typeof item !== 'object' || packageIn(item) !== undefined)
  const [here, there] = isSet ? [sorted(expected), sorted(actual)] : [expected, actual]
  return here.flatMap((item, index) => inValue(`${place}/${index}`, item, there[index] ?? null))
}

const packageIn = (item: JsonValue): JsonValue | undefined => (isJsonObject(item) ? item['packageId'] : undefined)

function sorted(items: JsonValue[]): JsonValue[] {
  const key = (item: JsonValue): string => printJson(packageIn(item) ?? item)
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** Pairs of type and name. */
const kindsOfResources = (resources: JsonValue): JsonValue =>
  Array.isArray(resources)
    ? resources.map((pair) => (Array.isArray(pair) ? { kind: pair[0] ?? null } : pair))
    : resources

const withoutHost = (errors: JsonValue): JsonValue =>
  Array.isArray(errors) ? errors.map((text) => String(text).replace(/http:\/\/[^/]+/, 'http://participant')) : errors

const timestamp = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Contract ids. */
const longHexadecimal = /[0-9a-f]{130,}/g

/** Without generated parts. */
function steady(value: JsonValue): string {
  if (typeof value !== 'string') return printJson(value)
  if (timestamp.test(value)) return '(timestamp)'
  return printJson(value.replace(uuids, '(uuid)').replace(longHexadecimal, '(hexadecimal)'))
}

const isText = (kind: string): boolean => kind.startsWith('text')

function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  if (typeof value !== 'string') return typeof value
  if (value === '') return 'text (empty)'
  return /^[0-9a-f]{20,}$/.test(value) ? 'text (hexadecimal)' : 'text'
}
