import { camelCased } from '../../lib/camel-case.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import type { Expected, Matcher, ResponsePattern } from '../suite/suite.js'
import { matchesPattern, UndecidedPattern } from '../template/pattern.js'
import type { FindingList } from '../yaml/findings.js'
import { composed, entriesOf, keyLocation, valueLocation } from '../yaml/locations.js'

export function patternOf(shape: Partial<Shapes['named-pattern']>): ResponsePattern {
  const { name, status, ...pattern } = camelCased(shape)
  return { ...pattern, ...(status !== undefined && { status: statusesIn(status) }) }
}

/** `400`, `4xx` or a list of them. */
const statusesIn = (status: Shapes['status']): string[] => [status].flat().map(String)

type MatcherShape = Extract<Shapes['matcher'], object>
type MatcherShapes = Record<string, Shapes['matcher']> | undefined

const words: Readonly<Record<Extract<Shapes['matcher'], string>, Matcher>> = {
  present: { present: true },
  absent: { present: false },
  null: { null: true },
  empty: { empty: true },
  'not-empty': { empty: false },
  unpopulated: { unpopulated: true },
  timestamp: { timestamp: true },
  open: {},
}

export function readMatcher(shape: Shapes['matcher'], findings: FindingList): Matcher {
  if (shape === null || typeof shape !== 'object') return { ...words[shape ?? 'null'] }
  checkPattern(shape, findings)
  return Object.fromEntries(Object.entries(shape).map(([name]) => [name, readMember(shape, name, findings)]))
}

/** `each`, `every`, `some` and `at` contain matchers. */
function readMember(shape: MatcherShape, name: string, findings: FindingList): Data {
  const { [name]: value = null } = shape as Record<string, Data>
  if (name === 'rules') {
    const hint = 'name them directly below the pointer in "expect"'
    findings.add(keyLocation(shape, name), 'rules are not allowed inside a matcher', hint)
  }
  if (name === 'each' || name === 'every' || name === 'some')
    return { ...readMatcher(value as Shapes['matcher'], findings) } // by schema
  if (name !== 'at') return value
  const inner = readMatchers(shape.at, findings)
  return Object.fromEntries([...inner].map(([pointer, matcher]) => [pointer, { ...matcher }]))
}

/** By pointer or header name. */
export function readExpected(shapes: MatcherShapes, findings: FindingList): Map<string, Expected<Matcher>> {
  return new Map(
    entriesOf(shapes).map(({ name, value, location }) => {
      const { rules, matcher } = withoutRules(value)
      const what = readMatcher(matcher, findings)
      return [name, { what, ...(rules && { rules }), location }]
    }),
  )
}

function withoutRules(shape: Shapes['matcher']): { matcher: Shapes['matcher']; rules?: string[] } {
  if (shape === null || typeof shape !== 'object' || !shape.rules) return { matcher: shape }
  const { rules, ...matcher } = shape
  return { matcher: composed(matcher, [shape]), rules }
}

export const readMatchers = (shapes: MatcherShapes, findings: FindingList): Map<string, Matcher> =>
  new Map(Object.entries(shapes ?? {}).map(([name, shape]) => [name, readMatcher(shape, findings)]))

/** A pattern that matches all of these matches every string. */
const diverse = ['a', ' ', '7', '-', 'é', '\u{1f600}', '{"a":[null]}', 'x'.repeat(5000)]

const slowPattern = 'this pattern is too slow for a string of 5000 characters'

/** Patterns match whole strings. A placeholder replaces variables. */
function checkPattern(shape: { pattern?: string }, findings: FindingList): void {
  if (shape.pattern === undefined) return
  const source = shape.pattern.replace(/\$\{[^{}]*\}/g, 'variable')
  // A hostile suite of a bundle may contain thousands of slow patterns.
  if (findings.has(slowPattern)) return
  const location = valueLocation(shape, 'pattern')
  try {
    if (!diverse.every((text) => matchesPattern(source, text))) return
  } catch (error) {
    if (error instanceof UndecidedPattern) findings.add(location, slowPattern, 'avoid nested repetitions')
    else {
      const reason = error instanceof Error ? error.message : String(error)
      findings.add(location, 'invalid regular expression', reason.replace(/^.*\/su?: /, ''))
    }
    return
  }
  const hint = 'use "present", or a pattern that excludes some strings'
  findings.add(location, 'this pattern matches every string', hint)
}
