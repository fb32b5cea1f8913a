import { type Data, type MatcherName, matcherNames } from '../../record/types/resolved-row.js'
import type { Expected, Matcher } from '../suite/suite.js'
import type { FindingList } from '../yaml/finding-list.js'
import { dataOf, entriesOf, itemsOf, type Located, member, textOf } from '../yaml/located.js'
import { type Reading, refer } from './reading.js'

/** What one word stands for. */
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

/** A matcher with its words written out. A pattern that cannot be used, or says nothing, is a finding. */
function readMatcher(node: Located, reading: Reading): Matcher {
  if (!(node.content instanceof Map)) return { ...words[String(node.content)] }
  const matcher: Matcher = {}
  for (const { name, key, value } of entriesOf(node)) {
    if (name === 'pattern') checkPattern(value, reading.findings)
    if (name === 'format') matcher.format = refer(reading, 'format', value)
    if (name === 'of') matcher.of = dataOf(value)
    if (name === 'rules')
      reading.findings.add(key, 'no rules are judged by this alone', 'name them beside the pointer in "expect"')
    if (isMatcherName(name)) matcher[name] = readWanted(name, value, reading)
  }
  return matcher
}

/** Some matchers hold others: for the items of a list, or for what stands at a pointer. */
function readWanted(name: MatcherName, value: Located, reading: Reading): Data {
  if (name === 'each' || name === 'every' || name === 'some') return nested(readMatcher(value, reading))
  if (name !== 'at') return dataOf(value)
  const inner = [...readMatchers(value, reading)].map(([pointer, matcher]) => [pointer, nested(matcher)] as const)
  return Object.fromEntries(inner)
}

/** What is expected by pointer, or by name of a header: matchers, each of which may name the rules that it judges. */
export function readExpected(node: Located | undefined, reading: Reading): Map<string, Expected<Matcher>> {
  return new Map(
    entriesOf(node).map(({ name, key, value }) => {
      const rules = member(value, 'rules')
      const what = readMatcher(rules ? without(value, 'rules') : value, reading)
      return [name, { what, ...(rules && { rules: readRules(rules, reading) }), location: key }]
    }),
  )
}

/** Ids of rules. */
export const readRules = (node: Located | undefined, reading: Reading): string[] =>
  itemsOf(node).map((rule) => refer(reading, 'rule', rule))

const without = (node: Located, name: string): Located => ({
  ...node,
  content: new Map(entriesOf(node).flatMap((entry) => (entry.name === name ? [] : [[entry.name, entry] as const]))),
})

/** Matchers by pointer. */
export function readMatchers(node: Located | undefined, reading: Reading): Map<string, Matcher> {
  return new Map(entriesOf(node).map(({ name, value }) => [name, readMatcher(value, reading)]))
}

const isMatcherName = (name: string): name is MatcherName => matcherNames.some((known) => known === name)

const nested = (matcher: Matcher): Data => Object.fromEntries(Object.entries(matcher))

/** Texts that have nothing in common: what matches all of them matches anything. */
const unlike = ['a', ' ', '7', '-', 'é', '\u{1f600}', '{"a":[null]}', 'x'.repeat(5000)]

/** Patterns match texts as a whole, as the judge takes them; variables in them stand for some text. */
function checkPattern(node: Located, findings: FindingList): void {
  const source = textOf(node).replace(/\$\{[^{}]*\}/g, 'variable')
  let pattern: RegExp
  try {
    pattern = new RegExp(`^(?:${source})$`, 'su')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    findings.add(node.location, 'invalid regular expression', why.replace(/^.*\/su?: /, ''))
    return
  }
  if (unlike.every((text) => pattern.test(text))) {
    findings.add(node.location, 'this pattern matches anything', 'say "present", or what the text really looks like')
  }
}
