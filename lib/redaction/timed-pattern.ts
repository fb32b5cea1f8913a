/** Regular expressions of users and suites, on texts of others: backtracking can take for ever. */
import { isNativeError } from 'node:util/types'
import { createContext, Script } from 'node:vm'

const context = createContext(Object.create(null))
const script = new Script('run()')

const mostSteps = 1_000_000

export interface TimedMatch {
  source: string
  text: string
  /** The match may begin at each character. */
  isSearch?: boolean
  /** Milliseconds. */
  limit: number
}

/** Each choice has at most one alternative for each character. The time limit costs a thread, more than almost all matches. */
function isQuick({ source, text, isSearch = false }: TimedMatch): boolean {
  if (/\)[*+?{]/.test(source)) return false
  const choices = (source.match(/[*+?|]|\{\d+,|\\[1-9k]/g) ?? []).length
  return text.length ** (isSearch ? choices + 1 : choices) <= mostSteps
}

/** Only `node:vm` can stop a match. Undefined if it lasts longer than its limit. */
export function inTime<Result>(match: TimedMatch, run: () => Result): Result | undefined {
  if (isQuick(match)) return run()
  Object.assign(context, { run })
  try {
    return script.runInContext(context, { timeout: match.limit }) as Result // of the function
  } catch (error) {
    // Not an Error of this realm.
    if (!isNativeError(error) || !('code' in error) || error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return undefined
  }
}
