import { systemReason } from './system-error.js'

/** The message names path, cause and next step. */
export class OutputError extends Error {
  override readonly name = 'OutputError'
  readonly path: string
  /** Cause and next step, without the path. */
  readonly reason: string

  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path} cannot be written (${reason})`, cause === undefined ? undefined : { cause })
    this.path = path
    this.reason = reason
  }
}

export const outputReason = (error: unknown): string =>
  error instanceof OutputError ? error.reason : systemReason(error)
