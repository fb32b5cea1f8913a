import { type Grammar, grammars, violation } from '../../interface/grammars.js'
import { canonical, compareNumbers, isInteger, same } from '../../lib/json/canonical.js'
import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { MatcherName } from '../../record/types/resolved-row.js'
import { matchesPattern } from '../template/pattern.js'
import { valueAt } from '../template/pointer.js'

const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
const instantForm = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d))$/

/** The form in which the reference writes timestamps. */
function isTimestamp(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && timestampForm.test(value) && nanosOf(value) !== undefined
}

/** Nanoseconds since 1970 of an RFC 3339 time. */
function nanosOf(text: string): bigint | undefined {
  const [, date = '', time = '', fraction = '', sign = '', hours = '0', minutes = '0'] = instantForm.exec(text) ?? []
  const seconds = `${date}T${time}`
  const milliseconds = Date.parse(`${seconds}Z`)
  // Date.parse accepts the 30th of February as a day in March.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(seconds)) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const nanos = fraction.padEnd(9, '0').slice(0, 9)
  return (BigInt(milliseconds) - BigInt(offset) * 60_000n) * 1_000_000n + BigInt(nanos)
}

function compareTimes(left: string, right: string): number | undefined {
  const [one, other] = [nanosOf(left), nanosOf(right)]
  if (one === undefined || other === undefined) return undefined
  return one < other ? -1 : one > other ? 1 : 0
}

type Evaluate = (wanted: JsonValue, actual: JsonValue | undefined) => boolean

type Test = (value: JsonValue | undefined) => boolean

const typeChecks: ReadonlyMap<string, Test> = new Map<string, Test>(
  Object.entries({
    string: (value) => typeof value === 'string',
    integer: isInteger,
    number: (value) => typeof value === 'number' || value instanceof JsonNumber,
    boolean: (value) => typeof value === 'boolean',
    array: Array.isArray,
    object: isJsonObject,
    null: (value) => value === null,
  }),
)

const isPresent: Test = (value) => value !== undefined

/** Numbers, booleans and null are neither empty nor filled. */
const isEmpty: Test = (value) => sizeOf(value) === 0
const isFilled: Test = (value) => (sizeOf(value) ?? 0) > 0

function sizeOf(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return isJsonObject(value) ? Object.keys(value).length : undefined
}

const isUnpopulated: Test = (value) =>
  value === undefined || value === null || value === false || compareNumbers(value, 0) === 0 || isEmpty(value)

const elements = (value: JsonValue | undefined): string[] | undefined =>
  Array.isArray(value) ? value.map(canonical) : undefined

/** Undefined unless all items are objects with this member. */
function membersOf(value: JsonValue | undefined, name: JsonValue | undefined): string[] | undefined {
  if (!Array.isArray(value) || typeof name !== 'string') return undefined
  const found = value.flatMap((item) => (isJsonObject(item) && Object.hasOwn(item, name) ? [item[name] ?? null] : []))
  return found.length === value.length ? found.map(canonical) : undefined
}

const ofSets =
  (test: (wanted: ReadonlySet<string>, actual: readonly string[]) => boolean): Evaluate =>
  (wanted, actual) => {
    const [left, right] = [elements(wanted), elements(actual)]
    return left !== undefined && right !== undefined && test(new Set(left), right)
  }

/** An unknown format meets the matcher: the interface text defines no format of times. */
const ofTimes =
  (test: (order: number) => boolean): Evaluate =>
  (wanted, actual) =>
    typeof actual === 'string' && actual !== '' && test(compareTimes(actual, String(wanted)) ?? 0)

/** `opposite`: test for `false`. An absent value may meet neither test. */
const flagged =
  (test: Test, opposite: Test): Evaluate =>
  (wanted, actual) =>
    wanted === false ? opposite(actual) : test(actual)

const ofItems =
  (test: (items: readonly JsonValue[], isMet: (item: JsonValue) => boolean) => boolean): Evaluate =>
  (wanted, actual) =>
    Array.isArray(actual) && isJsonObject(wanted) && test(actual, (item) => allMet(wanted, item))

const evaluators: Record<MatcherName, Evaluate> = {
  equals: (wanted, actual) => same(wanted, actual),
  'one-of': (wanted, actual) => actual !== undefined && (elements(wanted)?.includes(canonical(actual)) ?? false),
  type: (wanted, actual) => typeof wanted === 'string' && (typeChecks.get(wanted)?.(actual) ?? false),
  pattern: (wanted, actual) =>
    typeof wanted === 'string' && typeof actual === 'string' && matchesPattern(wanted, actual),
  grammar: (wanted, actual) => typeof actual === 'string' && fits(String(wanted), actual),
  present: flagged(isPresent, (value) => value === undefined),
  null: flagged(
    (value) => value === null,
    (value) => value !== undefined && value !== null,
  ),
  empty: flagged(isEmpty, isFilled),
  unpopulated: flagged(isUnpopulated, (value) => !isUnpopulated(value)),
  timestamp: flagged(isTimestamp, (value) => value !== undefined && !isTimestamp(value)),
  'same-time': ofTimes((order) => order === 0),
  'not-before': ofTimes((order) => order >= 0),
  'same-set': ofSets(
    (wanted, actual) =>
      actual.length === wanted.size && new Set(actual).size === wanted.size && isWithin(actual, wanted),
  ),
  'same-items': (wanted, actual) => {
    const { as, by } = isJsonObject(wanted) ? wanted : {}
    const [left, right] = [membersOf(as, by), membersOf(actual, by)]
    const isSame = left !== undefined && right !== undefined && left.length === right.length
    return isSame && new Set(right).size === right.length && isWithin(left, new Set(right))
  },
  'subset-of': ofSets((wanted, actual) => isWithin(actual, wanted)),
  'superset-of': ofSets((wanted, actual) => isWithin([...wanted], new Set(actual))),
  intersects: ofSets((wanted, actual) => actual.some((item) => wanted.has(item))),
  each: ofItems((items, isMet) => items.length > 0 && items.every(isMet)),
  every: ofItems((items, isMet) => items.every(isMet)),
  some: ofItems((items, isMet) => items.some(isMet)),
  includes: (wanted, actual) => includes(wanted, actual),
  at: (wanted, actual) =>
    isJsonObject(wanted) &&
    Object.keys(wanted).length > 0 &&
    Object.entries(wanted).every(
      ([pointer, matcher]) => isJsonObject(matcher) && allMet(matcher, valueAt(actual, pointer)),
    ),
  length: (wanted, actual) => Array.isArray(actual) && actual.length === wanted,
  'shown-events': (wanted, actual) => Array.isArray(actual) && actual.filter(isShownEvent).length === wanted,
  keys: (wanted, actual) => isJsonObject(actual) && Object.keys(actual).length === wanted,
  'greater-than': (wanted, actual) => order(actual, wanted) > 0,
  'at-least': (wanted, actual) => order(actual, wanted) >= 0,
  mentions: (wanted, actual) =>
    actual !== undefined &&
    Array.isArray(wanted) &&
    wanted.length > 0 &&
    wanted.every((item) => mentionsAny(printJson(actual), [item])),
  'mentions-none': (wanted, actual) =>
    actual !== undefined && Array.isArray(wanted) && wanted.length > 0 && !mentionsAny(printJson(actual), wanted),
}

/** Of a kind that the interface text shows. */
const isShownEvent: Test = (item) =>
  isJsonObject(item) && (Object.hasOwn(item, 'CreatedEvent') || Object.hasOwn(item, 'ArchivedEvent'))

const isWithin = (list: readonly string[], set: ReadonlySet<string>): boolean => list.every((item) => set.has(item))

const mentionsAny = (json: string, wanted: readonly JsonValue[]): boolean =>
  wanted.some((item) => {
    const printed = printJson(item)
    return (
      json.includes(typeof item === 'string' ? printed.slice(1, -1) : printed) ||
      (typeof item === 'string' && json.includes(item))
    )
  })

const fits = (name: string, text: string): boolean => {
  const grammar: Grammar | undefined = Object.entries(grammars).find(([key]) => key === name)?.[1]
  return grammar !== undefined && violation(grammar, text) === undefined
}

function includes(wanted: JsonValue, actual: JsonValue | undefined): boolean {
  if (!isJsonObject(wanted) || !isJsonObject(actual)) return same(wanted, actual)
  return Object.entries(wanted).every(([name, item]) => Object.hasOwn(actual, name) && includes(item, actual[name]))
}

/** NaN unless both are numbers or both are timestamps. */
function order(actual: JsonValue | undefined, bound: JsonValue): number {
  if (!isTimestamp(actual) || !isTimestamp(bound)) return compareNumbers(actual, bound)
  return compareTimes(actual, bound) ?? Number.NaN
}

export const isMatcherName = (name: string): name is MatcherName => Object.hasOwn(evaluators, name)

export const isMet = (name: MatcherName, wanted: JsonValue, actual: JsonValue | undefined): boolean =>
  evaluators[name](wanted, actual)

function allMet({ optional, ...matcher }: JsonObject, actual: JsonValue | undefined): boolean {
  if (mayBeAbsent(optional, actual)) return true
  const entries = Object.entries(matcher)
  return entries.length > 0 && entries.every(([name, wanted]) => isMatcherName(name) && isMet(name, wanted, actual))
}

/** `optional`: of a matcher. */
export const mayBeAbsent = (optional: JsonValue | undefined, actual: JsonValue | undefined): boolean =>
  optional === true && (actual ?? null) === null
