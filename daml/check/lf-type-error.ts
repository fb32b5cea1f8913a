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
