/** What must hold of one value. Each matcher is a pure function with the expectation in words. */
import { type Grammar, grammars, violation } from '../../interface/grammars.js'
import { excerpt, isJsonObject, JsonNumber, type JsonValue, printJson } from '../../interface/json.js'
import type { Data, Matcher, MatcherName } from '../suite.js'

/** One evaluated matcher. `expected` reads behind "expected". */
export interface Match {
  expected: string
  met: boolean
}

type Evaluate = (wanted: JsonValue, actual: JsonValue | undefined) => Match

/** How a value that was found is shown. */
export const show = (value: JsonValue | undefined): string => (value === undefined ? 'nothing' : excerpt(value, 300))

const canonical = (value: JsonValue): string => printJson(sorted(value))

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, sorted(item)]),
  )
}

/** Equality of JSON values; the order of members does not count. */
export const same = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === undefined || b === undefined ? a === b : canonical(a) === canonical(b)

const isInteger = (value: JsonValue | undefined): boolean =>
  (typeof value === 'number' && Number.isInteger(value)) || (value instanceof JsonNumber && /^-?\d+$/.test(value.text))

const typeChecks: Record<string, (value: JsonValue | undefined) => boolean> = {
  string: (value) => typeof value === 'string',
  integer: isInteger,
  number: (value) => typeof value === 'number' || value instanceof JsonNumber,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isJsonObject,
  null: (value) => value === null,
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isJsonObject(value) && Object.keys(value).length === 0)

/** Not populated, for every type: absent, null, or the empty value of the type. */
const isUnpopulated = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === 0 || value === false || isEmpty(value)

const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])
const holds = (list: readonly JsonValue[], item: JsonValue): boolean => list.some((other) => same(other, item))

const flagged =
  (words: string, test: (value: JsonValue | undefined) => boolean): Evaluate =>
  (wanted, actual) =>
    wanted === false ? { expected: `not ${words}`, met: !test(actual) } : { expected: words, met: test(actual) }

const evaluators: Record<MatcherName, Evaluate> = {
  equals: (wanted, actual) => ({ expected: show(wanted), met: same(wanted, actual) }),
  'one-of': (wanted, actual) => ({
    expected: `one of ${show(wanted)}`,
    met: actual !== undefined && holds(listOf(wanted), actual),
  }),
  type: (wanted, actual) => ({
    expected: `a value of type ${show(wanted)}`,
    met: typeof wanted === 'string' && (typeChecks[wanted]?.(actual) ?? false),
  }),
  pattern: (wanted, actual) => ({
    expected: `a text that matches ${show(wanted)} as a whole`,
    met: typeof wanted === 'string' && typeof actual === 'string' && new RegExp(`^(?:${wanted})$`, 'su').test(actual),
  }),
  grammar: (wanted, actual) => ({
    expected: `a valid ${show(wanted)}`,
    met: typeof actual === 'string' && fits(String(wanted), actual),
  }),
  present: flagged('present', (value) => value !== undefined),
  null: flagged('null', (value) => value === null),
  empty: flagged('empty', isEmpty),
  unpopulated: flagged('unpopulated (absent, null or the empty value of its type)', isUnpopulated),
  timestamp: flagged('a timestamp', (value) => typeof value === 'string' && timestampForm.test(value)),
  'same-set': (wanted, actual) => ({
    expected: `exactly the set ${show(wanted)}`,
    met:
      Array.isArray(actual) &&
      actual.every((item) => holds(listOf(wanted), item)) &&
      listOf(wanted).every((item) => holds(actual, item)) &&
      new Set(actual.map(canonical)).size === actual.length,
  }),
  'subset-of': (wanted, actual) => ({
    expected: `a subset of ${show(wanted)}`,
    met: Array.isArray(actual) && actual.every((item) => holds(listOf(wanted), item)),
  }),
  intersects: (wanted, actual) => ({
    expected: `something in common with ${show(wanted)}`,
    met: listOf(actual).some((item) => holds(listOf(wanted), item)),
  }),
  each: (wanted, actual) => ({
    expected: `a list of which each item is ${show(wanted)}`,
    met: Array.isArray(actual) && isJsonObject(wanted) && actual.every((item) => allMet(wanted, item)),
  }),
  includes: (wanted, actual) => ({ expected: `an object with ${show(wanted)}`, met: includes(wanted, actual) }),
  length: (wanted, actual) => ({
    expected: `${show(wanted)} items`,
    met: Array.isArray(actual) && actual.length === wanted,
  }),
  'greater-than': (wanted, actual) => ({ expected: `greater than ${show(wanted)}`, met: order(actual, wanted) > 0 }),
  'at-least': (wanted, actual) => ({ expected: `at least ${show(wanted)}`, met: order(actual, wanted) >= 0 }),
  'mentions-none': (wanted, actual) => {
    const text = actual === undefined ? undefined : printJson(actual)
    const found = listOf(wanted).filter((item) => typeof item === 'string' && text?.includes(item))
    return { expected: `no mention of ${show(wanted)}`, met: text !== undefined && found.length === 0 }
  },
}

const fits = (name: string, text: string): boolean => {
  const grammar: Grammar | undefined = Object.entries(grammars).find(([key]) => key === name)?.[1]
  return grammar !== undefined && violation(grammar, text) === undefined
}

function includes(wanted: JsonValue, actual: JsonValue | undefined): boolean {
  if (!isJsonObject(wanted) || !isJsonObject(actual)) return same(wanted, actual)
  return Object.entries(wanted).every(([name, item]) => Object.hasOwn(actual, name) && includes(item, actual[name]))
}

/**
 * Below, at or above 0 as the value is below, at or above the bound; NaN when they cannot be compared. Numbers go by value,
 * timestamps by time (their texts sort so once the fractions are of one length).
 */
function order(actual: JsonValue | undefined, bound: JsonValue): number {
  if (typeof actual === 'string' && typeof bound === 'string') {
    const [left, right] = [even(actual), even(bound)]
    if (left === undefined || right === undefined) return Number.NaN
    return left < right ? -1 : left > right ? 1 : 0
  }
  return numberOf(actual) - numberOf(bound)
}

const even = (text: string): string | undefined =>
  timestampForm.test(text)
    ? text.replace(/(?:\.(\d+))?Z$/, (_, digits = '') => `.${String(digits).padEnd(9, '0')}Z`)
    : undefined

const numberOf = (value: JsonValue | undefined): number =>
  typeof value === 'number' ? value : value instanceof JsonNumber ? Number(value.text) : Number.NaN

const isMatcherName = (name: string): name is MatcherName => Object.hasOwn(evaluators, name)

const allMet = (matcher: Record<string, JsonValue>, actual: JsonValue): boolean =>
  Object.entries(matcher).every(([name, wanted]) => isMatcherName(name) && evaluators[name](wanted, actual).met)

/** Evaluates every entry of a matcher whose variables have been filled. */
export function evaluate(
  matcher: Matcher,
  actual: JsonValue | undefined,
  fillIn: (wanted: Data) => JsonValue,
): Match[] {
  return Object.entries(matcher).map(([name, wanted]) => {
    if (!isMatcherName(name)) throw new Error(`no matcher is called ${name}`)
    return evaluators[name](fillIn(wanted), actual)
  })
}
