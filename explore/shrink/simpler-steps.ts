/** Simpler forms of a step, for the shrinking of fast-check. */
import { Arbitrary, type Stream, stream, Value } from 'fast-check'
import type { Step } from '../../record/types/exploration.js'
import type { Data } from '../../record/types/resolved-row.js'
import { placesIn, replacedAt } from '../generate/alter-request.js'
import { bodyOfStep } from '../send/step.js'

/** Simpler forms of a step, the largest simplification first. */
export type Simplify = (step: Step) => IterableIterator<Step>

/** Shrinks given steps. The generator draws the steps of sequences. */
export class StepArbitrary extends Arbitrary<Step> {
  readonly #simplify: Simplify

  constructor(simplify: Simplify) {
    super()
    this.#simplify = simplify
  }

  generate(): Value<Step> {
    throw new Error('StepArbitrary shrinks examples, and generates nothing')
  }

  /** All values are examples. */
  canShrinkWithoutContext(value: unknown): value is Step {
    return value !== undefined
  }

  shrink(step: Step): Stream<Value<Step>> {
    return stream(this.#simplify(step)).map((simpler) => new Value(simpler, undefined))
  }
}

/** Without its bounds, a list operation waits for its timeout. */
const lists: ReadonlySet<string> = new Set(['updates', 'completions'])

/** The largest simplification comes first. Lazy: fast-check stops at the first simpler form that still differs. */
export function* simplerSteps(step: Step): Generator<Step> {
  const { request, original } = step
  if (original) yield { ...original, capture: step.capture }
  if (step.after !== undefined) yield withoutDelay(step)
  if (request.wire) {
    const { wire: _, ...plain } = request
    yield { ...step, request: plain }
  }
  if (step.token) {
    const { token: _, ...plain } = step
    yield plain
  }
  const body = bodyOfStep(step)
  if (body === undefined || lists.has(step.operation)) return
  const depth = (pointer: string): number => pointer.split('/').length
  for (const { pointer, value } of placesIn(body).toSorted((a, b) => depth(a.pointer) - depth(b.pointer)))
    for (const simpler of simplerValues(value))
      yield { ...step, request: { ...request, body: { ...request.body, json: replacedAt(body, pointer, simpler) } } }
}

/** Undefined removes the value. */
function simplerValues(value: Data): (Data | undefined)[] {
  if (Array.isArray(value) && value.length > 1) return [undefined, value.slice(0, 1)]
  const isLong = typeof value === 'string' && value.length > 12 && !value.includes('${') && !value.startsWith('#')
  return isLong ? [undefined, 'x'] : [undefined]
}

// Late effects: with fewer steps the last read of the ledger end must wait for them.

/** `milliseconds`: undefined removes the delay. Undefined if no step reads the ledger end, or if it waits as long. */
export function withLaterRead(steps: readonly Step[], milliseconds: number): Step[] | undefined {
  const at = steps.findLastIndex(readsEnd)
  const read = steps[at]
  if (!read || (read.after ?? 0) >= milliseconds) return undefined
  return steps.with(at, { ...read, about: `read the ledger end after ${milliseconds} ms`, after: milliseconds })
}

export const withImmediateRead = (steps: readonly Step[]): Step[] =>
  steps.map((step) => (readsEnd(step) ? withoutDelay(step) : step))

export const waitsForLateEffects = (steps: readonly Step[]): boolean =>
  steps.some((step) => readsEnd(step) && step.after !== undefined)

const readsEnd = ({ operation, capture }: Step): boolean => operation === 'ledger-end' && 'end' in capture

function withoutDelay({ after: _, ...step }: Step): Step {
  return readsEnd(step) ? { ...step, about: 'read the ledger end' } : step
}
