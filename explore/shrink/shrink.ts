/** fast-check shrinks a sequence to fewer steps, and then each step to a simpler one. */
import { array, asyncProperty, check } from 'fast-check'
import type { Step } from '../../record/types/exploration.js'
import { variablesIn } from '../../runner/suite/resolved-suite.js'
import {
  type Simplify,
  StepArbitrary,
  simplerSteps,
  waitsForLateEffects,
  withImmediateRead,
  withLaterRead,
} from './simpler-steps.js'

/** Sends the steps again; true if the last one differs as before. */
export type CheckDifference = (steps: readonly Step[]) => Promise<boolean>

export interface ShrinkLimits {
  attempts: number
  /** From the confirmation of the difference. */
  milliseconds: number
}

export interface Shrunk {
  steps: Step[]
  attempts: number
  /** The difference requires a delay before the ledger is read. */
  isLate: boolean
}

const confirmationAttempts = 3

/** Milliseconds. */
const readDelays: readonly number[] = [300, 1200, 2500]

/** A long sequence loses steps before its steps become simpler. */
const unchanged: Simplify = () => [].values()

/** Sequences up to this length have no delay. */
const shortLength = 4

/**
 * Undefined if the difference does not appear again. Rejects as `stillDiffers` does.
 * @example
 * const shrunk = await shrink(steps, stillDiffers, { attempts: 200, milliseconds: 30_000 })
 * shrunk?.steps.length // at most that of the steps
 */
export async function shrink(
  steps: readonly Step[],
  stillDiffers: CheckDifference,
  limits: ShrinkLimits,
): Promise<Shrunk | undefined> {
  const shrinking = new Shrinking(stillDiffers, limits)
  const delayed = laterReads(steps)
  const again = Array.from({ length: confirmationAttempts - 1 }, () => steps)
  const immediate = waitsForLateEffects(steps) ? [withImmediateRead(steps)] : []
  const attempts = [neededSteps(steps), ...immediate, steps, ...(delayed.length > 0 ? delayed : again)]
  const confirmed = await shrinking.smallest(attempts, unchanged)
  if (!confirmed) return undefined
  const shorter = await shrinking.withDelay(confirmed)
  const best = (await shrinking.smallest([shorter], simplerSteps)) ?? shorter
  return {
    steps: withoutUnusedCaptures(best).map(withoutOriginal),
    attempts: shrinking.attempts,
    isLate: waitsForLateEffects(best),
  }
}

const laterReads = (steps: readonly Step[]): Step[][] =>
  readDelays.flatMap((milliseconds) => {
    const waiting = withLaterRead(steps, milliseconds)
    return waiting ? [waiting] : []
  })

class Shrinking {
  attempts = 0
  readonly #stillDiffers: CheckDifference
  readonly #limits: ShrinkLimits
  /** By the steps, as JSON. */
  readonly #results = new Map<string, boolean>()
  /** On the clock of `performance.now()`. Undefined until the difference appears again. */
  #until: number | undefined
  #failure: { error: unknown } | undefined

  constructor(stillDiffers: CheckDifference, limits: ShrinkLimits) {
    this.#stillDiffers = stillDiffers
    this.#limits = limits
  }

  /** Shrinks the first candidate that shows the difference. Undefined if none shows it. */
  async smallest(candidates: readonly (readonly Step[])[], simplify: Simplify): Promise<readonly Step[] | undefined> {
    const captured = new Set(candidates.flat().flatMap(({ capture }) => Object.keys(capture)))
    const maxLength = Math.max(...candidates.map(({ length }) => length))
    const sequences = array(new StepArbitrary(simplify), { minLength: 1, maxLength, size: 'max' })
    const agrees = asyncProperty(sequences, async (steps) => {
      if (this.#isOver) return true
      const complete = completeSteps(steps, captured)
      return complete.at(-1) !== steps.at(-1) || !(await this.#differs(complete))
    })
    const examples = candidates.map((steps): [Step[]] => [[...steps]])
    const { counterexample } = await check(agrees, { examples, numRuns: examples.length })
    if (this.#failure) throw this.#failure.error
    return counterexample ? completeSteps(counterexample[0], captured) : undefined
  }

  /** Fewer steps take less time, so a late effect may need a delay instead of steps. */
  async withDelay(steps: readonly Step[]): Promise<readonly Step[]> {
    let best = steps
    for (const milliseconds of readDelays) {
      const delayed = best.length > shortLength ? withLaterRead(best, milliseconds) : undefined
      const shorter = delayed && (await this.smallest([delayed], unchanged))
      if (shorter && shorter.length < best.length) best = shorter
    }
    return best
  }

  async #differs(steps: readonly Step[]): Promise<boolean> {
    const key = JSON.stringify(steps)
    const known = this.#results.get(key)
    if (known !== undefined) return known
    this.attempts += 1
    const differs = await this.#stillDiffersOrFails(steps)
    // Until the difference appears again, each attempt counts.
    if (differs) this.#until ??= performance.now() + this.#limits.milliseconds
    if (this.#until !== undefined) this.#results.set(key, differs)
    return differs
  }

  /** fast-check would take an error of an attempt for the difference. */
  async #stillDiffersOrFails(steps: readonly Step[]): Promise<boolean> {
    try {
      return await this.#stillDiffers(steps)
    } catch (error) {
      this.#failure = { error }
      return false
    }
  }

  get #isOver(): boolean {
    const isLate = this.#until !== undefined && performance.now() >= this.#until
    return this.#failure !== undefined || this.attempts >= this.#limits.attempts || isLate
  }
}

/** Without the steps that need a value of a removed step. `captured`: all values of steps. */
function completeSteps(steps: readonly Step[], captured: ReadonlySet<string>): Step[] {
  const known = new Set<string>()
  return steps.filter((step) => {
    const isComplete = [...variablesIn(step.request)].every((name) => known.has(name) || !captured.has(name))
    if (isComplete) for (const name of Object.keys(step.capture)) known.add(name)
    return isComplete
  })
}

/** The last step, and the steps whose values it needs. */
function neededSteps(steps: readonly Step[]): Step[] {
  const needed = new Set<string>()
  return steps
    .toReversed()
    .filter((step, index) => {
      const isNeeded = index === 0 || Object.keys(step.capture).some((name) => needed.has(name))
      if (isNeeded) for (const name of variablesIn(step.request)) needed.add(name)
      return isNeeded
    })
    .reverse()
}

const withoutOriginal = ({ original: _, ...step }: Step): Step => step

function withoutUnusedCaptures(steps: readonly Step[]): Step[] {
  const used = new Set(steps.flatMap((step) => [...variablesIn(step.request)]))
  return steps.map((step) => ({
    ...step,
    capture: Object.fromEntries(Object.entries(step.capture).filter(([name]) => used.has(name))),
  }))
}
