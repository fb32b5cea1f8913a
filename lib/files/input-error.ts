/** Errors of unreadable input. */
import { systemReason } from './system-error.js'

/** An unreadable file or folder of a user or bundle. The message names path, cause and next step. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly path: string
  /** Cause and next step, without the path. */
  readonly reason: string

  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path} cannot be read (${reason})`, cause === undefined ? undefined : { cause })
    this.path = path
    this.reason = reason
  }
}

/** The cause, for the message of another error. */
export const inputReason = (error: unknown): string =>
  error instanceof InputError ? error.reason : systemReason(error)
