import { camelCased } from '../../lib/camel-case.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import type { Expected, Matcher, ResponsePattern } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'
import { dataOf, type Entry, entriesOf, itemsOf, type Located, mapOf, member } from '../yaml/located.js'
import { type Reading, refer } from './reading.js'

export function patternOf(shape: Partial<Shapes['named-pattern']>): ResponsePattern {
  const { name, status, ...pattern } = camelCased(shape)
  return { ...pattern, ...(status !== undefined && { status: statusesIn(status) }) }
}

/** `400`, `4xx` or a list of them. */
export const statusesIn = (status: Shapes['status']): string[] => [status].flat().map(String)

type MatcherNode = Located<Shapes['matcher']>
type MatcherNodes = Located<Record<string, Shapes['matcher']>> | undefined

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

function readMatcher(node: MatcherNode, reading: Reading): Matcher {
  const { content } = node
  if (!(content instanceof Map)) return { ...words[(content ?? 'null') as keyof typeof words] } // by schema
  refer(reading, 'format', member(node, 'format'))
  checkPattern(member(node, 'pattern'), reading.findings)
  return Object.fromEntries(entriesOf(node).map((entry) => [entry.name, readMember(entry, reading)]))
}

/** `each`, `every`, `some` and `at` contain matchers. */
function readMember({ name, key, value }: Entry, reading: Reading): Data {
  if (name === 'rules') {
    const hint = 'name them directly below the pointer in "expect"'
    reading.findings.add(key, 'rules are not allowed inside a matcher', hint)
  }
  if (name === 'each' || name === 'every' || name === 'some') return nested(readMatcher(value as MatcherNode, reading)) // by schema
  if (name !== 'at') return dataOf(value)
  const inner = readMatchers(value as MatcherNodes, reading) // by schema
  return Object.fromEntries([...inner].map(([pointer, matcher]) => [pointer, nested(matcher)]))
}

const nested = (matcher: Matcher): Data => ({ ...matcher })

/** By pointer or header name. */
export function readExpected(node: MatcherNodes, reading: Reading): Map<string, Expected<Matcher>> {
  return new Map(
    entriesOf(node).map(({ name, key, value }) => {
      const rules = member(value, 'rules')
      const matcher: MatcherNode = rules
        ? { ...value, content: mapOf(entriesOf(value).filter((one) => one.name !== 'rules')) }
        : value
      const what = readMatcher(matcher, reading)
      return [name, { what, ...(rules && { rules: readRules(rules, reading) }), location: key }]
    }),
  )
}

export const readRules = (node: Located<string[]> | undefined, reading: Reading): string[] =>
  itemsOf(node).map((rule) => refer(reading, 'rule', rule))

export const readMatchers = (node: MatcherNodes, reading: Reading): Map<string, Matcher> =>
  new Map(entriesOf(node).map(({ name, value }) => [name, readMatcher(value, reading)]))

/** A pattern that matches all of these matches every string. */
const diverse = ['a', ' ', '7', '-', 'é', '\u{1f600}', '{"a":[null]}', 'x'.repeat(5000)]

/** Patterns match whole strings. A placeholder replaces variables. */
function checkPattern(node: Located<string> | undefined, findings: FindingList): void {
  if (!node) return
  const source = dataOf(node).replace(/\$\{[^{}]*\}/g, 'variable')
  let pattern: RegExp
  try {
    pattern = new RegExp(`^(?:${source})$`, 'su')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    findings.add(node.location, 'invalid regular expression', reason.replace(/^.*\/su?: /, ''))
    return
  }
  if (!diverse.every((text) => pattern.test(text))) return
  const hint = 'use "present", or a pattern that excludes some strings'
  findings.add(node.location, 'this pattern matches every string', hint)
}
