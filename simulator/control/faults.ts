import type { JsonObject } from '../../interface/json.js'
import type { Endpoint } from '../http/endpoint.js'
import { calledOperations } from './called-operations.js'
import { ControlError, unknownName } from './control-error.js'
import type { Fault, FaultSetting } from './fault.js'

interface SetFault extends FaultSetting {
  id: string
  strikes(endpoint: Endpoint): boolean
  calls: number
  struck: number
}

/** A list that is longer than this was hardly meant. */
const most = 100

/** The faults that are set, and which calls they strike. */
export class Faults {
  readonly #endpoints: readonly Endpoint[]
  readonly #set = new Map<string, SetFault>()
  #count = 0

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = endpoints
  }

  /** Sets a fault and returns it as it is listed. Throws `ControlError`. */
  add(setting: FaultSetting): JsonObject {
    if (this.#set.size >= most) {
      throw new ControlError('TOO_MANY_FAULTS', `${most} faults are set already; clear some`)
    }
    const { operation } = setting
    const targets = operation === undefined ? undefined : calledOperations(operation, this.#endpoints)
    this.#count += 1
    const id = `fault-${this.#count}`
    const fault = { ...setting, id, calls: 0, struck: 0, strikes: (called: Endpoint) => targets?.has(called) ?? true }
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

  /** Counts a call and returns the faults that strike it, in the order in which they were set. */
  strike(endpoint: Endpoint): Fault[] {
    const struck: Fault[] = []
    for (const item of this.#set.values()) {
      if (!item.strikes(endpoint)) continue
      item.calls += 1
      if (!isDue(item)) continue
      item.struck += 1
      struck.push(item.fault)
    }
    return struck
  }
}

function isDue({ calls, trigger: { every, next } }: SetFault): boolean {
  return next === undefined ? calls % (every ?? 1) === 0 : calls <= next
}

function listed({ id, fault, operation, trigger, calls, struck }: SetFault): JsonObject {
  const shown = { id, ...fault, operation, ...trigger, calls, struck }
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)) as JsonObject // what was undefined is left out
}
