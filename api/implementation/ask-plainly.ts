import { type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type { AskControl } from '../../simulator/control/ask-control.js'
import { ConformanceError } from '../types/conformance-error.js'
import { simulatorProblem } from './simulator-problem.js'

type Call = Parameters<AskControl>[0]
type Asked = Omit<NonNullable<Parameters<AskControl>[1]>, 'body'> & {
  /** A text goes as it is; anything else as the JSON that it makes. */
  body?: unknown
}

/** Makes a call of the control plane and resolves to its answer as a text. Rejects with `ConformanceError`. */
export type AskPlainly = (call: Call, asked?: Asked) => Promise<string>

export const askPlainly =
  (ask: AskControl): AskPlainly =>
  async (call, { body, ...rest } = {}) => {
    try {
      return printJson(await ask(call, body === undefined ? rest : { ...rest, body: jsonOf(body) }))
    } catch (error) {
      throw simulatorProblem(error)
    }
  }

function jsonOf(value: unknown): JsonValue {
  if (typeof value === 'string') return value
  try {
    return parseJson(JSON.stringify(value))
  } catch (error) {
    throw new ConformanceError('CONTROL_REFUSED', `the argument cannot be written as JSON: ${String(error)}`, error)
  }
}
