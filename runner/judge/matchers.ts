import { type Grammar, grammars, violation } from '../../interface/grammars.js'
import { canonical, compareNumbers, isInteger, same } from '../../lib/json/canonical.js'
import { excerpt, isJsonObject, JsonNumber, type JsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { Judgement } from '../../record/types/record.js'
import type { Data, Matcher, MatcherName } from '../../record/types/resolved-row.js'
import { valueAt } from '../template/pointer.js'
import { fill, type Scope, VariableError } from '../template/variables.js'
import { fillPattern, matchesPattern } from './pattern.js'

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

/** `expected` follows the word "expected". */
export type Match = Pick<Judgement, 'expected' | 'met'>

type Evaluate = (wanted: JsonValue, actual: JsonValue | undefined) => Match

type Test = (value: JsonValue | undefined) => boolean

export const show = (value: JsonValue | undefined): string => (value === undefined ? 'nothing' : excerpt(value, 300))

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
  (words: string, test: (wanted: ReadonlySet<string>, actual: readonly string[]) => boolean): Evaluate =>
  (wanted, actual) => {
    const [left, right] = [elements(wanted), elements(actual)]
    return {
      expected: `${words} ${show(wanted)}`,
      met: left !== undefined && right !== undefined && test(new Set(left), right),
    }
  }

/** An unknown format meets the matcher: the interface text defines no format of times. */
function ofTimes(words: string, test: (order: number) => boolean): Evaluate {
  return (wanted, actual) => ({
    expected: `${words} ${show(wanted)}`,
    met: typeof actual === 'string' && actual !== '' && test(compareTimes(actual, String(wanted)) ?? 0),
  })
}

/** `opposite`: test for `false`. An absent value may meet neither test. */
const flagged =
  (words: string, test: Test, otherwise: string, opposite: Test): Evaluate =>
  (wanted, actual) =>
    wanted === false ? { expected: otherwise, met: opposite(actual) } : { expected: words, met: test(actual) }

const evaluators: Record<MatcherName, Evaluate> = {
  equals: (wanted, actual) => ({ expected: show(wanted), met: same(wanted, actual) }),
  'one-of': (wanted, actual) => ({
    expected: `one of ${show(wanted)}`,
    met: actual !== undefined && (elements(wanted)?.includes(canonical(actual)) ?? false),
  }),
  type: (wanted, actual) => ({
    expected: `a value of type ${show(wanted)}`,
    met: typeof wanted === 'string' && (typeChecks.get(wanted)?.(actual) ?? false),
  }),
  pattern: (wanted, actual) => ({
    expected: `a string that matches the pattern ${show(wanted)}`,
    met: typeof wanted === 'string' && typeof actual === 'string' && matchesPattern(wanted, actual),
  }),
  grammar: (wanted, actual) => ({
    expected: `a valid ${show(wanted)}`,
    met: typeof actual === 'string' && fits(String(wanted), actual),
  }),
  present: flagged('present', isPresent, 'not present', (value) => value === undefined),
  null: flagged(
    'null',
    (value) => value === null,
    'present and not null',
    (value) => value !== undefined && value !== null,
  ),
  empty: flagged('empty', isEmpty, 'a non-empty string, array or object', isFilled),
  unpopulated: flagged(
    'unpopulated (absent, null or the empty value of its type)',
    isUnpopulated,
    'populated (neither absent, nor null, nor the empty value of its type)',
    (value) => !isUnpopulated(value),
  ),
  timestamp: flagged(
    'a timestamp',
    isTimestamp,
    'present and not a timestamp',
    (value) => value !== undefined && !isTimestamp(value),
  ),
  'same-time': ofTimes('the time', (order) => order === 0),
  'not-before': ofTimes('a time not before', (order) => order >= 0),
  'same-set': ofSets(
    'exactly the set',
    (wanted, actual) =>
      actual.length === wanted.size && new Set(actual).size === wanted.size && isWithin(actual, wanted),
  ),
  'same-items': (wanted, actual) => {
    const { as, by } = isJsonObject(wanted) ? wanted : {}
    const [left, right] = [membersOf(as, by), membersOf(actual, by)]
    const isSame = left !== undefined && right !== undefined && left.length === right.length
    return {
      expected: `an array whose items have the same ${String(by)} as ${show(as)}`,
      met: isSame && new Set(right).size === right.length && isWithin(left, new Set(right)),
    }
  },
  'subset-of': ofSets('a subset of', (wanted, actual) => isWithin(actual, wanted)),
  'superset-of': ofSets('a superset of', (wanted, actual) => isWithin([...wanted], new Set(actual))),
  intersects: ofSets('at least one element of', (wanted, actual) => actual.some((item) => wanted.has(item))),
  each: (wanted, actual) => ({
    expected: `a non-empty array with each item matching ${show(wanted)}`,
    met:
      Array.isArray(actual) &&
      actual.length > 0 &&
      isJsonObject(wanted) &&
      actual.every((item) => allMet(wanted, item)),
  }),
  every: (wanted, actual) => ({
    expected: `an array, possibly empty, with each item matching ${show(wanted)}`,
    met: Array.isArray(actual) && isJsonObject(wanted) && actual.every((item) => allMet(wanted, item)),
  }),
  some: (wanted, actual) => ({
    expected: `an array with an item matching ${show(wanted)}`,
    met: Array.isArray(actual) && isJsonObject(wanted) && actual.some((item) => allMet(wanted, item)),
  }),
  includes: (wanted, actual) => ({
    expected: `an object that includes ${show(wanted)}`,
    met: includes(wanted, actual),
  }),
  at: (wanted, actual) => ({
    expected: `a value matching ${show(wanted)} at these pointers`,
    met:
      isJsonObject(wanted) &&
      Object.keys(wanted).length > 0 &&
      Object.entries(wanted).every(
        ([pointer, matcher]) => isJsonObject(matcher) && allMet(matcher, valueAt(actual, pointer)),
      ),
  }),
  length: (wanted, actual) => ({
    expected: `${show(wanted)} items`,
    met: Array.isArray(actual) && actual.length === wanted,
  }),
  'shown-events': (wanted, actual) => ({
    expected: `${show(wanted)} items of the kinds CreatedEvent and ArchivedEvent`,
    met: Array.isArray(actual) && actual.filter(isShownEvent).length === wanted,
  }),
  keys: (wanted, actual) => ({
    expected: `an object with exactly ${show(wanted)} ${wanted === 1 ? 'key' : 'keys'}`,
    met: isJsonObject(actual) && Object.keys(actual).length === wanted,
  }),
  'greater-than': (wanted, actual) => ({ expected: `greater than ${show(wanted)}`, met: order(actual, wanted) > 0 }),
  'at-least': (wanted, actual) => ({ expected: `at least ${show(wanted)}`, met: order(actual, wanted) >= 0 }),
  mentions: (wanted, actual) => ({
    expected: `mention of ${show(wanted)}`,
    met:
      actual !== undefined &&
      Array.isArray(wanted) &&
      wanted.length > 0 &&
      wanted.every((item) => mentionsAny(printJson(actual), [item])),
  }),
  'mentions-none': (wanted, actual) => ({
    expected: `no mention of ${show(wanted)}`,
    met: actual !== undefined && Array.isArray(wanted) && wanted.length > 0 && !mentionsAny(printJson(actual), wanted),
  }),
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

const isMatcherName = (name: string): name is MatcherName => Object.hasOwn(evaluators, name)

function allMet({ optional, ...matcher }: JsonObject, actual: JsonValue | undefined): boolean {
  if (optional === true && (actual ?? null) === null) return true
  const entries = Object.entries(matcher)
  return (
    entries.length > 0 && entries.every(([name, wanted]) => isMatcherName(name) && evaluators[name](wanted, actual).met)
  )
}

/** Throws `UndecidedPattern`. */
export function evaluate(matcher: Matcher, actual: JsonValue | undefined, variables: Scope): Match[] {
  return Object.entries(matcher).map(([name, wanted]) => {
    if (!isMatcherName(name)) throw new Error(`unknown matcher ${name}`)
    try {
      return evaluators[name](fillWanted(name, wanted, variables), actual)
    } catch (error) {
      if (error instanceof VariableError) return { expected: `${name}, but ${error.message}`, met: false }
      throw error
    }
  })
}

function fillWanted(name: string, wanted: Data, variables: Scope): JsonValue {
  if (name === 'pattern' && typeof wanted === 'string') return fillPattern(wanted, variables)
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return fill(wanted, variables)
  if (name === 'each' || name === 'every' || name === 'some') return fillMatcher(wanted, variables)
  if (name !== 'at') return fill(wanted, variables)
  return Object.fromEntries(
    Object.entries(wanted).map(([pointer, inner]) => [pointer, fillWanted('each', inner, variables)]),
  )
}

const fillMatcher = (matcher: Record<string, Data>, variables: Scope): JsonObject =>
  Object.fromEntries(Object.entries(matcher).map(([name, item]) => [name, fillWanted(name, item, variables)]))
