import { isNativeError } from 'node:util/types'
import { createContext, Script } from 'node:vm'
import { type Scope, textOf } from './variables.js'

export class UndecidedPattern extends Error {
  override readonly name = 'UndecidedPattern'
}

/** Milliseconds for one match. */
const usualLimit = 1000

const context = createContext(Object.create(null))
const script = new Script('pattern.test(text)')

/** Throws `UndecidedPattern` and `SyntaxError`. */
export function matchesPattern(source: string, text: string, timeLimit = usualLimit): boolean {
  const pattern = new RegExp(`^(?:${source})$`, 'su')
  if (isQuick(source, text)) return pattern.test(text)
  const matched = matchInTime(pattern, text, timeLimit)
  if (matched !== undefined) return matched
  throw new UndecidedPattern(
    `the pattern ${source} takes longer than ${timeLimit / 1000} s on the answer of the target`,
  )
}

/**
 * Two choices at most, each with at most one alternative for each character: about a million steps. The time limit of one match costs a thread, more
 * than almost all matches.
 */
const isQuick = (source: string, text: string): boolean =>
  text.length <= 1000 && !/\)[*+?{]/.test(source) && (source.match(/[*+?|]|\{\d+,|\\[1-9k]/g) ?? []).length <= 2

/** Only `node:vm` can stop a match. Without a result, it lasted too long. */
function matchInTime(pattern: RegExp, text: string, timeLimit: number): boolean | undefined {
  Object.assign(context, { pattern, text })
  try {
    return script.runInContext(context, { timeout: timeLimit }) === true
  } catch (error) {
    // Not an Error of this realm.
    if (!isNativeError(error) || !('code' in error) || error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return undefined
  }
}

/** A pattern of this text alone. */
export const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Throws `VariableError`. */
export const fillPattern = (pattern: string, variables: Scope): string => textOf(pattern, variables, literal)
