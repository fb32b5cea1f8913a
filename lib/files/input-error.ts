import { systemReason } from './system-error.js'

/** The message names path, cause and next step. */
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

export const inputReason = (error: unknown): string =>
  error instanceof InputError ? error.reason : systemReason(error)
