/** Reads matchers. */
import { type Data, type MatcherName, matcherNames } from '../../record/types/resolved-row.js'
import type { Expected, Matcher } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import { dataOf, entriesOf, itemsOf, type Located, member, textOf } from '../yaml/located.js'
import { type Reading, refer } from './reading.js'

/** Matchers that are a single word. */
const words: Readonly<Record<string, Matcher>> = {
  present: { present: true },
  absent: { present: false },
  null: { null: true },
  empty: { empty: true },
  'not-empty': { empty: false },
  unpopulated: { unpopulated: true },
  timestamp: { timestamp: true },
  open: {},
}

function readMatcher(node: Located, reading: Reading): Matcher {
  if (!(node.content instanceof Map)) return { ...words[String(node.content)] }
  const matcher: Matcher = {}
  for (const { name, key, value } of entriesOf(node)) {
    if (name === 'pattern') checkPattern(value, reading.findings)
    if (name === 'format') matcher.format = refer(reading, 'format', value)
    if (name === 'of') matcher.of = dataOf(value)
    if (name === 'rules')
      reading.findings.add(
        key,
        'rules are not allowed inside a matcher',
        'name them directly below the pointer in "expect"',
      )
    if (isMatcherName(name)) matcher[name] = readExpectedValue(name, value, reading)
  }
  return matcher
}

/** `each`, `every`, `some` and `at` contain matchers. */
function readExpectedValue(name: MatcherName, value: Located, reading: Reading): Data {
  if (name === 'each' || name === 'every' || name === 'some') return nested(readMatcher(value, reading))
  if (name !== 'at') return dataOf(value)
  const inner = [...readMatchers(value, reading)].map(([pointer, matcher]) => [pointer, nested(matcher)] as const)
  return Object.fromEntries(inner)
}

/** Matchers by pointer or header name, each with its own rules if it names them. */
export function readExpected(node: Located | undefined, reading: Reading): Map<string, Expected<Matcher>> {
  return new Map(
    entriesOf(node).map(({ name, key, value }) => {
      const rules = member(value, 'rules')
      const what = readMatcher(rules ? without(value, 'rules') : value, reading)
      return [name, { what, ...(rules && { rules: readRules(rules, reading) }), location: key }]
    }),
  )
}

export const readRules = (node: Located | undefined, reading: Reading): string[] =>
  itemsOf(node).map((rule) => refer(reading, 'rule', rule))

const without = (node: Located, name: string): Located => ({
  ...node,
  content: new Map(entriesOf(node).flatMap((entry) => (entry.name === name ? [] : [[entry.name, entry] as const]))),
})

export function readMatchers(node: Located | undefined, reading: Reading): Map<string, Matcher> {
  return new Map(entriesOf(node).map(({ name, value }) => [name, readMatcher(value, reading)]))
}

const isMatcherName = (name: string): name is MatcherName => matcherNames.some((known) => known === name)

const nested = (matcher: Matcher): Data => Object.fromEntries(Object.entries(matcher))

/** Strings without common properties: a pattern that matches all of them matches every string. */
const diverse = ['a', ' ', '7', '-', 'é', '\u{1f600}', '{"a":[null]}', 'x'.repeat(5000)]

/** Patterns match whole strings. A placeholder replaces variables. */
function checkPattern(node: Located, findings: FindingList): void {
  const source = textOf(node).replace(/\$\{[^{}]*\}/g, 'variable')
  let pattern: RegExp
  try {
    pattern = new RegExp(`^(?:${source})$`, 'su')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    findings.add(node.location, 'invalid regular expression', reason.replace(/^.*\/su?: /, ''))
    return
  }
  if (diverse.every((text) => pattern.test(text))) {
    findings.add(
      node.location,
      'this pattern matches every string',
      'use "present", or a pattern that excludes some strings',
    )
  }
}
