import { parseJson, printJson } from '../../lib/json/json.js'
import type { RecordedVariables } from '../../record/types/record.js'
import type { Variables } from './variables.js'

/** Omits variables with the same value in `known`. */
export function recordedVariables(variables: Variables, known: Variables = new Map()): RecordedVariables {
  const own = [...variables].filter(([name, value]) => known.get(name) !== value)
  return Object.fromEntries(own.map(([name, value]) => [name, printJson(value)]))
}

/** Later arguments override earlier ones. Throws `JsonSyntaxError`. */
export const variablesOf = (...recorded: (RecordedVariables | undefined)[]): Variables =>
  new Map(recorded.flatMap((one) => Object.entries(one ?? {}).map(([name, text]) => [name, parseJson(text)])))
