import { systemReason } from './system-error.js'

/** A path that nothing can be written to. The message says which, why, and what helps. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
  readonly path: string
  /** Why, and what helps; without the path. */
  readonly reason: string

  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path} cannot be written (${reason})`, cause === undefined ? undefined : { cause })
    this.path = path
    this.reason = reason
  }
}

/** Why something could not be written, for the message of another error. */
export const outputReason = (error: unknown): string =>
  error instanceof OutputError ? error.reason : systemReason(error)
