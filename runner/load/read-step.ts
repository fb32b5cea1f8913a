import { camelCased } from '../../lib/camel-case.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { suggestion } from '../../lib/suggest.js'
import type { Shapes } from '../suite/shapes.js'
import { accepted, type Expected, type Step } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'
import { composed, entriesOf, locationOf, placedAt, valueLocation } from '../yaml/locations.js'
import { readExpected } from './read-matcher.js'
import { type FlowStep, type Reading, usesIn } from './reading.js'

export type StepShape = Shapes['step']

export const stepKeys = ['request', 'as', 'token', 'edit', 'remove', 'send', 'capture', 'outcome', 'expect'] as const

/** The members of the step under test that a case or row states. */
export function stepOf(shape: Shapes['case'] | Shapes['row']): Partial<StepShape> {
  const own = Object.entries(shape).filter(([name]) => stepKeys.some((key) => key === name))
  return composed(Object.fromEntries(own), [shape])
}

export function readStep(shape: StepShape, name: string, findings: FindingList): Step {
  const { outcome: _, expect, ...plain } = camelCased(shape)
  const headers = lowerCase(readExpected(expect?.headers, findings))
  const body = readExpected(expect?.body, findings)
  checkRace(shape, findings)
  checkBody(shape, findings)
  return {
    ...plain,
    name,
    ...omitUndefined({ outcome: readOutcome(shape) }),
    expect: {
      ...(headers.size > 0 && { headers }),
      ...(body.size > 0 && { body }),
      schema: true,
    },
    location: locationOf(shape),
  }
}

/** Except the implicit schema check. */
export const expectsSomething = ({ outcome, expect: { headers, body } }: Step): boolean =>
  [outcome, headers, body].some((expected) => expected !== undefined)

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

function checkBody({ send }: Partial<StepShape>, findings: FindingList): void {
  if (send?.base64 !== undefined && send.text !== undefined)
    findings.add(valueLocation(send, 'base64'), 'a body is either text or base64', 'remove one of them')
}

const lowerCase = <Value>(values: Map<string, Value>): Map<string, Value> =>
  new Map([...values].map(([name, value]) => [name.toLowerCase(), value]))

/** By default, a step has the name of its request, with a number from the second occurrence on. */
export function readSteps(shapes: readonly StepShape[], findings: FindingList): Step[] {
  const used = new Set<string>()
  return shapes.map((shape) => {
    if (shape.name !== undefined && used.has(shape.name)) {
      const message = `another step has the name "${shape.name}"`
      findings.add(valueLocation(shape, 'name'), message, 'choose another name')
    }
    const name = shape.name ?? unusedName(shape.request, used)
    used.add(name)
    return readStep(shape, name, findings)
  })
}

function unusedName(name: string, used: ReadonlySet<string>): string {
  let unused = name
  for (let count = 2; used.has(unused); count += 1) unused = `${name} ${count}`
  return unused
}

type Item = Shapes['item']

/** Replaces `{ sequence: NAME }` by the steps of the sequence, merged with the differences under `with`. */
export const stepsAt = (list: readonly Item[] | undefined, reading: Reading): StepShape[] =>
  (list ?? []).flatMap((item) => (item.sequence === undefined ? [item as StepShape] : expandedSteps(item, reading))) // by schema

function expandedSteps(item: Item, reading: Reading): StepShape[] {
  const steps = reading.sequences.get(item.sequence ?? '')?.value.steps ?? []
  const names = steps.map(nameOf)
  for (const { name, location } of steps.length > 0 ? entriesOf(item.with) : []) {
    if (names.includes(name)) continue
    reading.findings.add(location, `the sequence has no step "${name}"`, suggestion(name, names))
  }
  return steps.map((step) => {
    const difference = item.with?.[nameOf(step)]
    return usedAt(item, difference ? mergedStep(step, difference) : step)
  })
}

const nameOf = ({ request, name = request }: StepShape): string => name

/** Findings about the context are reported where the sequence is used. */
function usedAt(item: Item, step: StepShape): StepShape {
  const location = locationOf(item)
  return composed({ ...step }, [step, placedAt({ request: step.request }, location)], location)
}

/** Edits, removals, captures, headers and expectations are merged; other members replace. */
export function mergedStep(base: StepShape, difference: Partial<StepShape>): StepShape {
  const { edit, remove = [], capture, send, expect } = difference
  const isKept = (pointer: string): boolean => !Object.hasOwn(edit ?? {}, pointer) && !remove.includes(pointer)
  // Later edits override earlier ones.
  const kept = Object.fromEntries(Object.entries(base.edit ?? {}).filter(([pointer]) => isKept(pointer)))
  const step: StepShape = {
    ...base,
    ...difference,
    ...omitUndefined({
      edit: base.edit && merged(composed(kept, [base.edit]), edit),
      remove: base.remove && [...base.remove.filter(isKept), ...remove],
      capture: merged(base.capture, capture),
      send: base.send && send ? mergedSend(base.send, send) : undefined,
      expect: merged(base.expect, expect, {
        headers: merged(base.expect?.headers, expect?.headers),
        body: merged(base.expect?.body, expect?.body),
      }),
    }),
  }
  return composed(step, [base, difference])
}

/** `inner`: merged members. */
function merged<Members extends object>(
  base: Members | undefined,
  difference: Members | undefined,
  inner: { [Name in keyof Members]?: Members[Name] | undefined } = {},
): Members | undefined {
  if (!base || !difference) return difference ?? base
  return composed({ ...base, ...difference, ...omitUndefined(inner) }, [base, difference])
}

/** Another body replaces the whole body. */
function mergedSend(base: Shapes['send'], difference: Shapes['send']): Shapes['send'] {
  const { text, base64, written, ...others } = base
  const isKept = difference.text === undefined && difference.base64 === undefined
  return composed(
    {
      ...others,
      ...(isKept && omitUndefined({ text, base64, written })),
      ...difference,
      ...omitUndefined({ headers: merged(base.headers, difference.headers) }),
    },
    [base, difference],
  )
}
