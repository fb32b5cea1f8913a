import { isNativeError } from 'node:util/types'
import { createContext, Script } from 'node:vm'
import { type Scope, textOf } from '../template/variables.js'

class UndecidedPattern extends Error {
  override readonly name = 'UndecidedPattern'
}

/** Milliseconds for one match. */
const timeLimit = 1000

const context = createContext(Object.create(null))
const script = new Script('pattern.test(text)')

/** Only `node:vm` can stop a match. Throws `UndecidedPattern` and `SyntaxError`. */
export function matchesPattern(source: string, text: string): boolean {
  Object.assign(context, { pattern: new RegExp(`^(?:${source})$`, 'su'), text })
  try {
    return script.runInContext(context, { timeout: timeLimit }) === true
  } catch (error) {
    // Not an Error of this realm.
    if (!isNativeError(error) || !('code' in error) || error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new UndecidedPattern(
      `the pattern ${source} takes longer than ${timeLimit / 1000} s on the answer of the target`,
    )
  }
}

/** Throws `VariableError`. */
export const fillPattern = (pattern: string, variables: Scope): string =>
  textOf(pattern, variables, (value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
