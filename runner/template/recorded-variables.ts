import { parseJson, printJson } from '../../lib/json/json.js'
import type { RecordedVariables } from '../../record/types/record.js'
import type { Variables } from './variables.js'

/** Variables as a record keeps them; those that `known` has as well are left out. */
export function recordedVariables(variables: Variables, known: Variables = new Map()): RecordedVariables {
  const own = [...variables].filter(([name, value]) => known.get(name) !== value)
  return Object.fromEntries(own.map(([name, value]) => [name, printJson(value)]))
}

/** Variables as a record has them; what stands behind counts. Throws `JsonSyntaxError` where one is no JSON. */
export const variablesOf = (...recorded: (RecordedVariables | undefined)[]): Variables =>
  new Map(recorded.flatMap((one) => Object.entries(one ?? {}).map(([name, text]) => [name, parseJson(text)])))
