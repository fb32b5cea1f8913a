import { isNativeError } from 'node:util/types'
import { createContext, Script } from 'node:vm'
import { type Scope, textOf } from '../template/variables.js'

/** A pattern takes so long on a text that whether it matches cannot be told. */
class UndecidedPattern extends Error {
  override readonly name = 'UndecidedPattern'
}

/** Milliseconds for one match. */
const patience = 1000

const context = createContext(Object.create(null))
const script = new Script('pattern.test(text)')

/**
 * Whether the text matches the pattern as a whole. Texts come from targets, and many a harmless pattern takes for ever on
 * some text; `node:vm` is what can stop it. Throws `UndecidedPattern`, and `SyntaxError` for what is no pattern.
 */
export function matchesPattern(source: string, text: string): boolean {
  Object.assign(context, { pattern: new RegExp(`^(?:${source})$`, 'su'), text })
  try {
    return script.runInContext(context, { timeout: patience }) === true
  } catch (error) {
    // Not an Error of this realm.
    if (!isNativeError(error) || !('code' in error) || error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new UndecidedPattern(
      `the pattern ${source} takes longer than ${patience / 1000} s on what the target answered`,
    )
  }
}

/** The pattern with its variables filled in, which stand for exactly what they hold. Throws `VariableError`. */
export const fillPattern = (pattern: string, variables: Scope): string =>
  textOf(pattern, variables, (value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
