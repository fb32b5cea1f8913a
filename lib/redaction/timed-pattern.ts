/** Regular expressions of users and suites, on texts of others: backtracking can take for ever. */
import { isNativeError } from 'node:util/types'
import { createContext, Script } from 'node:vm'

const context = createContext(Object.create(null))
const script = new Script('run()')

/**
 * Two choices at most, each with at most one alternative for each character: about a million steps. The time limit of one match costs a thread, more
 * than almost all matches.
 */
const isQuick = (source: string, text: string): boolean =>
  text.length <= 1000 && !/\)[*+?{]/.test(source) && (source.match(/[*+?|]|\{\d+,|\\[1-9k]/g) ?? []).length <= 2

/** Only `node:vm` can stop a match. Undefined if it lasts more than `limit` milliseconds. */
export function inTime<Result>(source: string, text: string, limit: number, run: () => Result): Result | undefined {
  if (isQuick(source, text)) return run()
  Object.assign(context, { run })
  try {
    return script.runInContext(context, { timeout: limit }) as Result // of the function
  } catch (error) {
    // Not an Error of this realm.
    if (!isNativeError(error) || !('code' in error) || error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return undefined
  }
}
