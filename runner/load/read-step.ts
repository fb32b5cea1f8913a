import { camelCased } from '../../lib/camel-case.js'
import { suggestion } from '../../lib/suggest.js'
import type { Shapes } from '../suite/shapes.js'
import { accepted, type Expected, type Location, type Matcher, type RawRequest, type Step } from '../suite/suite.js'
import {
  dataOf,
  type Entry,
  entriesOf,
  entry,
  itemsOf,
  type Located,
  mapOf,
  member,
  omitUndefined,
} from '../yaml/located.js'
import { readExpected, readRules, statusesIn } from './read-matcher.js'
import { type FlowStep, type Reading, refer, usesIn } from './reading.js'

export type StepNode = Located<Shapes['step']>
type PartialStepNode = Located<Partial<Shapes['step']>>

export interface StepParts extends Omit<Step, 'name' | 'request' | 'expect' | 'location'> {
  name?: string
  status?: Expected<string[]>
  headers: Map<string, Expected<Matcher>>
  body: Map<string, Expected<Matcher>>
  schema?: boolean
}

export const stepKeys = ['request', 'as', 'token', 'edit', 'remove', 'send', 'capture', 'outcome', 'expect'] as const

export const readOwnParts = (node: Located<Shapes['case'] | Shapes['row']>, reading: Reading): StepParts =>
  readStepParts(
    { ...node, content: mapOf(stepKeys.flatMap((key) => entry(node as PartialStepNode, key) ?? [])) },
    reading,
  )

function readStepParts(node: PartialStepNode, reading: Reading): StepParts {
  const { request, edit = {}, remove = [], capture = {}, send, outcome, expect, ...plain } = camelCased(dataOf(node))
  const expected = member(node, 'expect')
  const status = expected && entry(expected, 'status')
  refer(reading, 'actor', member(node, 'as'))
  refer(reading, 'token', member(node, 'token'))
  checkRace(node, reading)
  return {
    ...plain,
    ...omitUndefined({
      raw: readRaw(member(node, 'send'), reading),
      outcome: readOutcome(node, reading),
      status: status && { what: statusesIn(dataOf(status.value)), location: status.key },
      schema: expect?.schema,
    }),
    edit: new Map(Object.entries(edit)),
    remove,
    capture: new Map(Object.entries(capture)),
    headers: lowerCase(readExpected(expected && member(expected, 'headers'), reading)),
    body: readExpected(expected && member(expected, 'body'), reading),
  }
}

export interface StepText extends StepParts {
  name: string
  request: string
  location: Location
}

export const toStep = ({ status, headers, body, schema = true, ...step }: StepText): Step => ({
  ...step,
  expect: {
    ...(status && { status }),
    ...(headers.size > 0 && { headers }),
    ...(body.size > 0 && { body }),
    schema,
  },
})

/** Except the implicit schema check. */
export const expectsSomething = ({ outcome, expect: { status, headers, body } }: Step): boolean =>
  [outcome, status, headers, body].some((expected) => expected !== undefined)

export function flowStep(node: PartialStepNode): FlowStep {
  const send = member(node, 'send')
  const request = member(node, 'request')
  const ownBody = send !== undefined && (member(send, 'text') ?? member(send, 'base64')) !== undefined
  return {
    ...(request && !ownBody && { request: { name: dataOf(request), location: request.location } }),
    uses: [...usesIn(member(node, 'edit')), ...usesIn(send)],
    ...(member(node, 'race') && { repeated: true }),
    captures: entriesOf(member(node, 'capture')).map(({ name, key }) => ({ name, location: key })),
    judging: usesIn(member(node, 'expect')),
  }
}

function readOutcome(node: PartialStepNode, reading: Reading): Expected<string> | undefined {
  const outcome = member(node, 'outcome')
  if (!outcome) return undefined
  const rules = member(outcome, 'rules')
  const situation = member(outcome, 'situation') ?? outcome
  return {
    what: refer(reading, 'situation', situation),
    ...(rules && { rules: readRules(rules, reading) }),
    location: situation.location,
  }
}

function checkRace(node: PartialStepNode, reading: Reading): void {
  const race = member(node, 'race')
  if (!race) return
  if (readOutcome(node, reading)?.what !== accepted)
    reading.findings.add(race.location, 'a race needs the outcome of its winner', 'add "outcome: accepted" to the step')
  refer(reading, 'situation', member(race, 'others'))
}

function readRaw(node: Located<RawRequest> | undefined, reading: Reading): RawRequest | undefined {
  if (!node) return undefined
  const { headers, ...raw } = dataOf(node)
  const base64 = member(node, 'base64')
  if (base64 && raw.text !== undefined)
    reading.findings.add(base64.location, 'a body is either text or base64', 'remove one of them')
  return { ...raw, ...(headers && { headers: Object.fromEntries(lowerCase(new Map(Object.entries(headers)))) }) }
}

const lowerCase = <Value>(values: Map<string, Value>): Map<string, Value> =>
  new Map([...values].map(([name, value]) => [name.toLowerCase(), value]))

/** By default, a step has the name of its request, with a number from the second occurrence on. */
export function readSteps(nodes: readonly StepNode[], reading: Reading): StepText[] {
  const used = new Set<string>()
  return nodes.map((node) => {
    const parts = readStepParts(node, reading)
    const request = refer(reading, 'request', member(node, 'request')) ?? ''
    const named = member(node, 'name')
    if (named && parts.name !== undefined && used.has(parts.name)) {
      reading.findings.add(named.location, `another step has the name "${parts.name}"`, 'choose another name')
    }
    const name = parts.name ?? unusedName(request, used)
    used.add(name)
    return { ...parts, name, request, location: node.location }
  })
}

function unusedName(name: string, used: ReadonlySet<string>): string {
  let unused = name
  for (let count = 2; used.has(unused); count += 1) unused = `${name} ${count}`
  return unused
}

type ItemNode = Located<Shapes['item']>

/** Replaces `{ sequence: NAME }` by the steps of the sequence, merged with the differences under `with`. */
export const stepsAt = (list: Located<Shapes['item'][]> | undefined, reading: Reading): StepNode[] =>
  itemsOf(list).flatMap((item) => (member(item, 'sequence') ? expandedSteps(item, reading) : [item as StepNode])) // by schema

function expandedSteps(item: ItemNode, reading: Reading): StepNode[] {
  const steps = reading.sequences.get(refer(reading, 'sequence', member(item, 'sequence')) ?? '')?.steps ?? []
  const differences = member(item, 'with')
  const names = steps.map(nameOf)
  for (const { name, key } of steps.length > 0 ? entriesOf(differences) : []) {
    if (names.includes(name)) continue
    reading.findings.add(key, `the sequence has no step "${name}"`, suggestion(name, names))
  }
  return steps.map((step) => {
    const difference = differences && member(differences, nameOf(step))
    // By schema.
    return usedAt(item, difference ? (merged(step, difference) as StepNode) : step)
  })
}

function nameOf(node: StepNode): string {
  const { request, name = request } = dataOf(node)
  return name
}

/** Findings about the context are reported where the sequence is used. */
function usedAt({ location }: ItemNode, step: StepNode): StepNode {
  const request = entry(step, 'request')
  const placed = request && { ...request, value: { ...request.value, location } }
  return { location, content: mapOf([...entriesOf(step), ...(placed ? [placed] : [])]) }
}

function merged(base: Located, difference: Located): Located {
  if (Array.isArray(base.content) && Array.isArray(difference.content)) {
    return { location: base.location, content: [...base.content, ...difference.content] }
  }
  if (!(base.content instanceof Map) || !(difference.content instanceof Map)) return difference
  const changed = entriesOf(difference).map((own): Entry => {
    const known = entry(base, own.name)
    return known && mergedMembers.has(own.name) ? { ...own, value: merged(known.value, own.value) } : own
  })
  return { location: base.location, content: mapOf([...entriesOf(base), ...changed]) }
}

const mergedMembers: ReadonlySet<string> = new Set(['edit', 'remove', 'capture', 'expect', 'body', 'headers'])
