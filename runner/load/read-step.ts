/** Reads steps of cases, fixtures and probes. */
import type { Data, Later, WireForm, Writing } from '../../record/types/resolved-row.js'
import { accepted, type Expected, type Location, type Matcher, type RawRequest, type Step } from '../suite/suite.js'
import {
  dataOf,
  entriesOf,
  entry,
  itemsOf,
  type Located,
  member,
  omitUndefined,
  optionalNumber,
  optionalText,
  textAt,
  textOf,
} from '../yaml/located.js'
import { readExpected, readRules } from './read-matcher.js'
import { readStatus } from './read-response-pattern.js'
import { type Reading, refer } from './reading.js'
import { type FlowStep, usesIn } from './variable-flow.js'

/** The members of a step, a case with a request, or a row. */
export interface StepParts {
  name?: string
  as?: string
  token?: string
  edit: Map<string, Data>
  remove: string[]
  raw?: RawRequest
  capture: Map<string, string>
  outcome?: Expected<string>
  status?: Expected<string[]>
  headers: Map<string, Expected<Matcher>>
  body: Map<string, Expected<Matcher>>
  schema?: boolean
  eventually?: number
  later?: Later
  sameConnection?: true
  race?: NonNullable<Step['race']>
}

const readLater = (node: Located): Later | undefined =>
  member(node, 'later')?.content === 'late-look' ? 'late-look' : optionalNumber(node, 'later')

export function readStepParts(node: Located, reading: Reading): StepParts {
  const expect = member(node, 'expect')
  const schema = expect && member(expect, 'schema')?.content
  return {
    ...omitUndefined({
      name: optionalText(node, 'name'),
      as: refer(reading, 'actor', member(node, 'as')),
      token: refer(reading, 'token', member(node, 'token')),
      raw: readRaw(member(node, 'send'), reading),
      outcome: readOutcome(node, reading),
      status: expect && readExpectedStatus(expect),
      schema: typeof schema === 'boolean' ? schema : undefined,
      eventually: optionalNumber(node, 'eventually'),
      later: readLater(node),
      sameConnection: member(node, 'same-connection') ? (true as const) : undefined,
      race: readRace(node, reading),
    }),
    edit: new Map(entriesOf(member(node, 'edit')).map(({ name, value }) => [name, dataOf(value)])),
    remove: itemsOf(member(node, 'remove')).map(textOf),
    capture: new Map(entriesOf(member(node, 'capture')).map(({ name, value }) => [name, textOf(value)])),
    headers: lowerCase(readExpected(expect && member(expect, 'headers'), reading)),
    body: readExpected(expect && member(expect, 'body'), reading),
  }
}

/** A complete step, into which a row may be merged. */
export interface StepText extends StepParts {
  name: string
  request: string
  location: Location
}

export function toStep(text: StepText): Step {
  const { name, request, edit, remove, capture, outcome, headers, body, schema, location } = text
  const found = {
    status: text.status,
    headers: headers.size > 0 ? headers : undefined,
    body: body.size > 0 ? body : undefined,
  }
  return {
    name,
    request,
    ...omitUndefined({ as: text.as, token: text.token, raw: text.raw, race: text.race, outcome }),
    ...omitUndefined({ eventually: text.eventually, later: text.later, sameConnection: text.sameConnection }),
    edit,
    remove,
    capture,
    expect: { ...omitUndefined(found), schema: schema ?? true },
    location,
  }
}

/** The implicit schema check does not count. */
export function expectsSomething({ outcome, expect }: Step): boolean {
  return (
    outcome !== undefined || expect.status !== undefined || expect.headers !== undefined || expect.body !== undefined
  )
}

/** The variables that a step, a case or a row uses and captures. */
export function flowStep(node: Located): FlowStep {
  const send = member(node, 'send')
  const request = member(node, 'request')
  const ownBody = send !== undefined && (member(send, 'text') ?? member(send, 'base64')) !== undefined
  return {
    ...(request && !ownBody && { request: { name: textOf(request), location: request.location } }),
    uses: [...usesIn(member(node, 'edit')), ...usesIn(send)],
    ...(member(node, 'race') && { repeated: true }),
    captures: entriesOf(member(node, 'capture')).map(({ name, key }) => ({ name, location: key })),
    judging: usesIn(member(node, 'expect')),
  }
}

/** A situation, or a map of it and its rules. */
function readOutcome(node: Located, reading: Reading): Expected<string> | undefined {
  const outcome = member(node, 'outcome')
  if (!outcome) return undefined
  const situation = member(outcome, 'situation') ?? outcome
  const rules = member(outcome, 'rules')
  return {
    what: refer(reading, 'situation', situation),
    ...(rules && { rules: readRules(rules, reading) }),
    location: situation.location,
  }
}

function readExpectedStatus(expect: Located): Expected<string[]> | undefined {
  const status = entry(expect, 'status')
  return status && { what: readStatus(status.value) ?? [], location: status.key }
}

function readRace(node: Located, reading: Reading): Step['race'] {
  const race = member(node, 'race')
  if (!race) return undefined
  if (readOutcome(node, reading)?.what !== accepted)
    reading.findings.add(race.location, 'a race needs the outcome of its winner', 'add "outcome: accepted" to the step')
  const others = member(race, 'others')
  return { times: optionalNumber(race, 'times') ?? 0, ...(others && { others: refer(reading, 'situation', others) }) }
}

function readRaw(node: Located | undefined, reading: Reading): RawRequest | undefined {
  if (!node) return undefined
  const headers = member(node, 'headers')
  const base64 = member(node, 'base64')
  const wire = member(node, 'wire')
  if (base64 && member(node, 'text'))
    reading.findings.add(base64.location, 'a body is either text or base64', 'remove one of them')
  return omitUndefined({
    method: optionalText(node, 'method'),
    path: optionalText(node, 'path'),
    headers: headers && readHeaders(headers),
    text: optionalText(node, 'text'),
    base64: base64 && textOf(base64),
    wire: wire && (dataOf(wire) as WireForm), // by schema
    written: optionalText(node, 'written') as Writing | undefined, // by schema
  })
}

const readHeaders = (node: Located): Record<string, string | null> =>
  Object.fromEntries(
    entriesOf(node).map(({ name, value }) => [name.toLowerCase(), value.content === null ? null : textOf(value)]),
  )

const lowerCase = <Value>(values: Map<string, Value>): Map<string, Value> =>
  new Map([...values].map(([name, value]) => [name.toLowerCase(), value]))

/** By default, a step has the name of its request, with a number from the second occurrence on. Reports duplicate names. */
export function readSteps(nodes: readonly Located[], reading: Reading): StepText[] {
  const used = new Set<string>()
  return nodes.map((node) => {
    const parts = readStepParts(node, reading)
    const request = readRequestName(node, reading)
    const named = member(node, 'name')
    if (named && parts.name !== undefined && used.has(parts.name)) {
      reading.findings.add(named.location, `another step has the name "${parts.name}"`, 'choose another name')
    }
    const name = parts.name ?? unusedName(request, used)
    used.add(name)
    return { ...parts, name, request, location: node.location }
  })
}

export function readRequestName(node: Located, reading: Reading): string {
  const name = textAt(node, 'request')
  refer(reading, 'request', member(node, 'request'))
  return name
}

function unusedName(name: string, used: ReadonlySet<string>): string {
  let unused = name
  for (let count = 2; used.has(unused); count += 1) unused = `${name} ${count}`
  return unused
}
