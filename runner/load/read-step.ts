import { camelCased } from '../../lib/camel-case.js'
import { isJsonObject } from '../../lib/json/json.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { suggestion } from '../../lib/suggest.js'
import type { Data } from '../../record/types/resolved-row.js'
import type { Shapes } from '../suite/shapes.js'
import { accepted, type Expected, type Location, type Matcher, type RawRequest, type Step } from '../suite/suite.js'
import { entriesOf } from '../yaml/check-shape.js'
import type { FindingList } from '../yaml/findings.js'
import { composed, keyLocation, locationOf, placedAt, valueLocation } from '../yaml/locations.js'
import { readExpected, statusesIn } from './read-matcher.js'
import { type FlowStep, type Reading, usesIn } from './reading.js'

export type StepShape = Shapes['step']

export interface StepParts extends Omit<Step, 'name' | 'request' | 'expect' | 'location'> {
  name?: string
  status?: Expected<string[]>
  headers: Map<string, Expected<Matcher>>
  body: Map<string, Expected<Matcher>>
  schema?: boolean
}

export const stepKeys = ['request', 'as', 'token', 'edit', 'remove', 'send', 'capture', 'outcome', 'expect'] as const

/** The parts of the step under test that a case or row states. */
export function readOwnParts(shape: Shapes['case'] | Shapes['row'], findings: FindingList): StepParts {
  const own = Object.entries(shape).filter(([name]) => stepKeys.some((key) => key === name))
  return readStepParts(composed(Object.fromEntries(own), [shape]), findings)
}

function readStepParts(shape: Partial<StepShape>, findings: FindingList): StepParts {
  const { request, edit = {}, remove = [], capture = {}, send, outcome, expect, ...plain } = camelCased(shape)
  checkRace(shape, findings)
  return {
    ...plain,
    ...omitUndefined({
      raw: send && readRaw(send, findings),
      outcome: readOutcome(shape),
      status:
        expect?.status === undefined
          ? undefined
          : { what: statusesIn(expect.status), location: keyLocation(expect, 'status') },
      schema: expect?.schema,
    }),
    edit: new Map(Object.entries(edit)),
    remove,
    capture: new Map(Object.entries(capture)),
    headers: lowerCase(readExpected(expect?.headers, findings)),
    body: readExpected(expect?.body, findings),
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

export function flowStep(shape: Partial<StepShape>): FlowStep {
  const { request, send, race, capture } = shape
  const ownBody = (send?.text ?? send?.base64) !== undefined
  return {
    ...(request !== undefined && !ownBody && { request: { name: request, location: valueLocation(shape, 'request') } }),
    uses: [...usesIn(shape, 'edit'), ...usesIn(shape, 'send')],
    ...(race && { repeated: true }),
    captures: entriesOf(capture).map(({ name, location }) => ({ name, location })),
    judging: usesIn(shape, 'expect'),
  }
}

function readOutcome(shape: Partial<StepShape>): Expected<string> | undefined {
  const { outcome } = shape
  if (outcome === undefined) return undefined
  if (typeof outcome === 'string') return { what: outcome, location: valueLocation(shape, 'outcome') }
  const { situation, rules } = outcome
  return { what: situation, ...(rules && { rules }), location: valueLocation(outcome, 'situation') }
}

function checkRace(shape: Partial<StepShape>, findings: FindingList): void {
  const { race, outcome } = shape
  if (!race) return
  const situation = typeof outcome === 'object' ? outcome.situation : outcome
  if (situation !== accepted)
    findings.add(locationOf(race), 'a race needs the outcome of its winner', 'add "outcome: accepted" to the step')
}

function readRaw(send: RawRequest, findings: FindingList): RawRequest {
  const { headers, ...raw } = send
  if (raw.base64 !== undefined && raw.text !== undefined)
    findings.add(valueLocation(send, 'base64'), 'a body is either text or base64', 'remove one of them')
  return { ...raw, ...(headers && { headers: Object.fromEntries(lowerCase(new Map(Object.entries(headers)))) }) }
}

const lowerCase = <Value>(values: Map<string, Value>): Map<string, Value> =>
  new Map([...values].map(([name, value]) => [name.toLowerCase(), value]))

/** By default, a step has the name of its request, with a number from the second occurrence on. */
export function readSteps(shapes: readonly StepShape[], findings: FindingList): StepText[] {
  const used = new Set<string>()
  return shapes.map((shape) => {
    const { request } = shape
    const parts = readStepParts(shape, findings)
    if (parts.name !== undefined && used.has(parts.name)) {
      const message = `another step has the name "${parts.name}"`
      findings.add(valueLocation(shape, 'name'), message, 'choose another name')
    }
    const name = parts.name ?? unusedName(request, used)
    used.add(name)
    return { ...parts, name, request, location: locationOf(shape) }
  })
}

function unusedName(name: string, used: ReadonlySet<string>): string {
  let unused = name
  for (let count = 2; used.has(unused); count += 1) unused = `${name} ${count}`
  return unused
}

type Item = Shapes['item']
type DataMap = Record<string, Data>

/** Replaces `{ sequence: NAME }` by the steps of the sequence, merged with the differences under `with`. */
export const stepsAt = (list: readonly Item[] | undefined, reading: Reading): StepShape[] =>
  (list ?? []).flatMap((item) => (item.sequence === undefined ? [item as StepShape] : expandedSteps(item, reading))) // by schema

function expandedSteps(item: Item, reading: Reading): StepShape[] {
  const steps = reading.sequences.get(item.sequence ?? '')?.steps ?? []
  const names = steps.map(nameOf)
  for (const { name, location } of steps.length > 0 ? entriesOf(item.with) : []) {
    if (names.includes(name)) continue
    reading.findings.add(location, `the sequence has no step "${name}"`, suggestion(name, names))
  }
  return steps.map((step) => {
    const difference = item.with?.[nameOf(step)]
    // Differences have the shape of a step.
    return usedAt(
      item,
      difference ? (mergedMaps(step as DataMap, difference as DataMap) as unknown as StepShape) : step,
    )
  })
}

const nameOf = ({ request, name = request }: StepShape): string => name

/** Findings about the context are reported where the sequence is used. */
function usedAt(item: Item, step: StepShape): StepShape {
  const location = locationOf(item)
  return composed({ ...step }, [step, placedAt({ request: step.request }, location)], location)
}

function merged(base: Data, difference: Data): Data {
  if (Array.isArray(base) && Array.isArray(difference)) return placedAt([...base, ...difference], locationOf(base))
  return isJsonObject(base) && isJsonObject(difference) ? mergedMaps(base, difference) : difference
}

function mergedMaps(base: DataMap, difference: DataMap): DataMap {
  const changed = Object.entries(difference).map(([name, own]): [string, Data] => {
    const known = base[name]
    return [name, known !== undefined && mergedMembers.has(name) ? merged(known, own) : own]
  })
  return composed({ ...base, ...Object.fromEntries(changed) }, [base, difference])
}

const mergedMembers: ReadonlySet<string> = new Set(['edit', 'remove', 'capture', 'expect', 'body', 'headers'])
