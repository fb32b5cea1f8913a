import { systemReason } from './system-error.js'

/** A file or folder that a user gave, or that a bundle contains, and that is not read. The message says which, why, and what helps. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly path: string
  /** Why, and what helps; without the path. */
  readonly reason: string

  constructor(path: string, reason: string, cause?: unknown) {
    super(`${path} cannot be read (${reason})`, cause === undefined ? undefined : { cause })
    this.path = path
    this.reason = reason
  }
}

/** Why something could not be read, for the message of another error. */
export const inputReason = (error: unknown): string =>
  error instanceof InputError ? error.reason : systemReason(error)
