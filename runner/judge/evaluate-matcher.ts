import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import type { CheckName, Data, Matcher } from '../../record/types/resolved-row.js'
import { fillPattern } from '../template/pattern.js'
import { fill, type Scope, VariableError } from '../template/variables.js'
import { isMatcherName, isMet } from './matchers.js'
import { shown, shownWanted, unmetMembers } from './unmet-members.js'

export interface Match {
  /** Of the member that differs; empty for the value itself. */
  pointer: string
  check: CheckName
  wanted: string[]
  found: string[]
  met: boolean
}

/** One match for each entry that is met; for others the first members that differ. Throws `UndecidedPattern`. */
export function evaluate(matcher: Matcher, actual: JsonValue | undefined, variables: Scope): Match[] {
  return Object.entries(matcher).flatMap(([name, data]): Match[] => {
    if (!isMatcherName(name)) throw new Error(`unknown matcher ${name}`)
    const whole = { pointer: '', found: shown(actual) }
    try {
      const wanted = fillWanted(name, data, variables)
      return isMet(name, wanted, actual)
        ? [{ ...whole, check: name, wanted: shownWanted(name, wanted), met: true }]
        : unmetMembers(name, wanted, actual).map((one) => ({ ...one, met: false }))
    } catch (error) {
      if (error instanceof VariableError)
        return [{ ...whole, check: 'variable', wanted: [name, error.message], met: false }]
      throw error
    }
  })
}

function fillWanted(name: string, wanted: Data, variables: Scope): JsonValue {
  if (name === 'pattern' && typeof wanted === 'string') return fillPattern(wanted, variables)
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return fill(wanted, variables)
  if (name === 'each' || name === 'every' || name === 'some') return fillMatcher(wanted, variables)
  if (name !== 'at') return fill(wanted, variables)
  return Object.fromEntries(
    Object.entries(wanted).map(([pointer, inner]) => [pointer, fillWanted('each', inner, variables)]),
  )
}

const fillMatcher = (matcher: Record<string, Data>, variables: Scope): JsonObject =>
  Object.fromEntries(Object.entries(matcher).map(([name, item]) => [name, fillWanted(name, item, variables)]))
