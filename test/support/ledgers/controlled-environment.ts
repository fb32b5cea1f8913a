import type { Test } from 'tap'
import { isJsonObject, type JsonValue } from '../../../lib/json/json.js'
import type { SimulatorOptions } from '../../../simulator/simulator.js'
import type { WireAnswer } from '../servers/wire.js'
import { objectIn, type SimulatorEnvironment, simulatorEnvironment, textAt } from './simulator-environment.js'

export interface ControlledEnvironment extends SimulatorEnvironment {
  /** `what`: method, and path below `/control`. */
  control(what: string, body?: JsonValue): Promise<WireAnswer>
}

export async function controlled(
  t: Test,
  options: SimulatorOptions = {},
  headers: Record<string, string> = {},
): Promise<ControlledEnvironment> {
  const environment = await simulatorEnvironment(t, { control: true, ...options }, headers)
  const control: ControlledEnvironment['control'] = (what, body) => {
    const [method = '', path = ''] = what.split(' ')
    return environment.wire.send({
      method,
      path: `/control${path}`,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  return { ...environment, control }
}

export const get = (path: string, headers: Record<string, string> = {}) => ({ method: 'GET', path, headers })

export const refusal = (answer: WireAnswer): string => `${answer.status} ${textAt(objectIn(answer), 'code')}`

export function member(value: JsonValue | undefined, ...names: string[]): JsonValue | undefined {
  return names.reduce<JsonValue | undefined>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value)
}
