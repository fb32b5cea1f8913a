import type { Redaction } from '../../lib/redaction/redaction.js'

/** The error without secrets in its words: what went wrong may tell what a target said. */
export function redactError(error: unknown, redaction: Redaction): unknown {
  if (!(error instanceof Error)) return error
  error.message = redaction.clean(error.message)
  if (error.stack !== undefined) error.stack = redaction.clean(error.stack)
  if (error.cause !== undefined) error.cause = redactError(error.cause, redaction)
  return error
}
