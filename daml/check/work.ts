import { LfTypeError } from './lf-type-error.js'

/** Far above compiled packages, and some seconds of work. */
const mostSteps = 10_000_000
/** Bounds recursion. */
const deepest = 600

/** Types with shared parts can be exponentially large. */
export class Work {
  #steps = 0

  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > mostSteps) throw new LfTypeError('the types exceed the size that this simulator checks')
  }

  visit(depth: number): void {
    this.spend(1)
    if (depth > deepest) throw new LfTypeError(`the types are nested more than ${deepest} deep`)
  }
}
