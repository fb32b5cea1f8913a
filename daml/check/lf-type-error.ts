import { EvaluationFailure } from '../machine/failures.js'

/** Errors of `checkPackage` name module and definition. */
export class LfTypeError extends Error {
  override readonly name = 'LfTypeError'
}

export function wrong(problem: string): never {
  throw new LfTypeError(problem)
}

/** Adds the place to the message; an undefined name becomes an `LfTypeError`. */
export function within(place: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (error instanceof LfTypeError) throw new LfTypeError(`${place}: ${error.message}`)
    if (error instanceof EvaluationFailure && error.failure.kind === 'missing') {
      const { id, what } = error.failure
      throw new LfTypeError(`${place}: package ${id.packageId} has no ${what} ${id.module}:${id.entity}`)
    }
    throw error
  }
}

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
