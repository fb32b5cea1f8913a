import { inTime } from '../../lib/redaction/timed-pattern.js'
import { type Scope, textOf } from './variables.js'

export class UndecidedPattern extends Error {
  override readonly name = 'UndecidedPattern'
}

/** Milliseconds for one match. */
const usualLimit = 1000

/** Throws `UndecidedPattern` and `SyntaxError`. */
export function matchesPattern(source: string, text: string, timeLimit = usualLimit): boolean {
  const pattern = new RegExp(`^(?:${source})$`, 'su')
  const matched = inTime({ source, text, limit: timeLimit }, () => pattern.test(text))
  if (matched !== undefined) return matched
  throw new UndecidedPattern(
    `the pattern ${source} takes longer than ${timeLimit / 1000} s on the answer of the target`,
  )
}

/** A pattern of this text alone. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Throws `VariableError`. */
export const fillPattern = (pattern: string, variables: Scope): string => textOf(pattern, variables, literal)
