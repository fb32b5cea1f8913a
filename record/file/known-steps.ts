import type { ResolvedStep } from '../types/resolved-row.js'
import { isStep } from './record-checks.js'

/**
 * Hundreds of rows have the same probes. Equal steps are checked once and become one object, so that a record in memory
 * needs less than its text.
 */
export class KnownSteps {
  readonly #known = new Map<string, ResolvedStep>()

  /** Undefined if a step does not match the schema; `isStep.errors` has the reason. */
  of(steps: readonly unknown[]): ResolvedStep[] | undefined {
    const found: ResolvedStep[] = []
    for (const step of steps) {
      const json = JSON.stringify(step)
      const known = this.#known.get(json) ?? (isStep(step) ? step : undefined)
      if (!known) return undefined
      this.#known.set(json, known)
      found.push(known)
    }
    return found
  }
}
