import { LfTypeError } from './lf-type-error.js'

/** What the types of one package may take: far more than any compiler makes, and some seconds. */
const mostSteps = 10_000_000
/** How deep types may be nested once they are put into each other; recursion goes so deep. */
const deepest = 600

/** Bounds of a check: types that share their parts can be larger than there is time for. */
export class Work {
  #steps = 0

  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > mostSteps) throw new LfTypeError('its types are larger than this simulator checks')
  }

  /** One part of a type that lies so deep in it. */
  visit(depth: number): void {
    this.spend(1)
    if (depth > deepest) throw new LfTypeError(`its types are nested more than ${deepest} deep`)
  }
}
