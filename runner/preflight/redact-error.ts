/** Removes secrets from errors: a message may quote an answer of the target. */
import type { Redaction } from '../../lib/redaction/redaction.js'

export function redactError(error: unknown, redaction: Redaction): unknown {
  if (!(error instanceof Error)) return error
  error.message = redaction.clean(error.message)
  if (error.stack !== undefined) error.stack = redaction.clean(error.stack)
  if (error.cause !== undefined) error.cause = redactError(error.cause, redaction)
  return error
}
