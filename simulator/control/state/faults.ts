import { same } from '../../../lib/json/canonical.js'
import { type JsonObject, JsonSyntaxError, type JsonValue, parseJson } from '../../../lib/json/json.js'
import { valueAt } from '../../../lib/json/pointer.js'
import { type Endpoint, methodAndPath, operationName, pathOf } from '../../http/endpoint.js'
import { ControlError, unknownName } from './control-request.js'
import type { Fault, FaultSetting } from './fault.js'

interface SetFault extends FaultSetting {
  id: string
  appliesTo(endpoint: Endpoint): boolean
  calls: number
  injected: number
}

const most = 100

export class Faults {
  readonly #endpoints: readonly Endpoint[]
  readonly #set = new Map<string, SetFault>()
  #count = 0

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = endpoints
  }

  /** Returns the fault as listed. Throws `ControlError`. */
  add(setting: FaultSetting): JsonObject {
    if (this.#set.size >= most) {
      throw new ControlError('TOO_MANY_FAULTS', `${most} faults are active; remove some`)
    }
    const { operation } = setting
    const targets = operation === undefined ? undefined : calledOperations(operation, this.#endpoints)
    this.#count += 1
    const id = `fault-${this.#count}`
    const fault = {
      ...setting,
      id,
      calls: 0,
      injected: 0,
      appliesTo: (called: Endpoint) => targets?.has(called) ?? true,
    }
    this.#set.set(id, fault)
    return listed(fault)
  }

  list(): JsonObject[] {
    return [...this.#set.values()].map(listed)
  }

  clear(): void {
    this.#set.clear()
  }

  /** Throws `ControlError`. */
  remove(id: string): void {
    if (!this.#set.delete(id)) throw unknownName('UNKNOWN_FAULT', 'fault', id, this.#set.keys())
  }

  /** Also counts the call. `body`: undefined if unreadable. */
  async dueFor(endpoint: Endpoint, body: Promise<Buffer | undefined>): Promise<Fault[]> {
    const needsBody = [...this.#set.values()].some((item) => item.trigger.match && item.appliesTo(endpoint))
    const json = needsBody ? jsonIn(await body) : undefined
    const due: Fault[] = []
    for (const item of this.#set.values()) {
      if (!item.appliesTo(endpoint) || !matches(json, item.trigger.match)) continue
      item.calls += 1
      if (!isDue(item)) continue
      item.injected += 1
      due.push(item.fault)
    }
    return due
  }
}

function jsonIn(body: Buffer | undefined): JsonValue | undefined {
  try {
    return body && parseJson(body.toString('utf8'))
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

const matches = (json: JsonValue | undefined, values: JsonObject = {}): boolean =>
  Object.entries(values).every(([pointer, value]) => same(valueAt(json, pointer), value))

function isDue({ calls, trigger: { every, next } }: SetFault): boolean {
  return next === undefined ? calls % (every ?? 1) === 0 : calls <= next
}

function listed({ id, fault, operation, trigger, calls, injected }: SetFault): JsonObject {
  const shown = { id, ...fault, operation, ...trigger, calls, injected }
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)) as JsonObject // without undefined members
}

/** By name, method and path, or path alone. Throws `ControlError`. */
export function calledOperations(text: string, endpoints: readonly Endpoint[]): ReadonlySet<Endpoint> {
  const called = endpoints.filter((endpoint) => spellings(endpoint).includes(text))
  if (called.length === 0) {
    throw unknownName('UNKNOWN_OPERATION', 'operation', text, new Set(endpoints.flatMap(spellings)))
  }
  return new Set(called)
}

const spellings = (endpoint: Endpoint): string[] => [operationName(endpoint), pathOf(endpoint), methodAndPath(endpoint)]
