import { type ServerResponse, STATUS_CODES } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { same } from '../../../lib/json/canonical.js'
import { type JsonObject, JsonSyntaxError, type JsonValue, parseJson, printJson } from '../../../lib/json/json.js'
import { valueAt } from '../../../lib/json/pointer.js'
import { type Answer, bytesOf, contentTypes, send } from '../../http/answer.js'
import type { Middleware } from '../../http/application.js'
import { type Endpoint, methodAndPath, operationName, pathOf } from '../../http/endpoint.js'
import { ControlError, unknownName } from './control-request.js'
import type { Fault, FaultSetting } from './fault.js'
import { type Journal, journalEntry } from './journal.js'

interface SetFault extends FaultSetting {
  id: string
  /** Undefined: all. */
  targets: ReadonlySet<Endpoint> | undefined
  calls: number
  injected: number
}

const most = 100

/**
 * The active faults.
 * @example
 * const faults = new Faults(endpoints)
 * faults.add({ fault, trigger: { operation: 'ledger-end', next: 1 } }) // as listed, with its id
 */
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
    const { operation } = setting.trigger
    const targets = operation === undefined ? undefined : calledOperations(operation, this.#endpoints)
    this.#count += 1
    const id = `fault-${this.#count}`
    const fault = { ...setting, id, targets, calls: 0, injected: 0 }
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
    const set = [...this.#set.values()].filter(({ targets }) => targets?.has(endpoint) ?? true)
    const json = set.some(({ trigger }) => trigger.match) ? jsonIn(await body) : undefined
    const due: Fault[] = []
    for (const item of set) {
      if (!matches(json, item.trigger.match)) continue
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

function listed({ id, fault, trigger, calls, injected }: SetFault): JsonObject {
  const shown = { id, ...fault, ...trigger, calls, injected }
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

/** Delays add up; of other faults, only the oldest applies. */
export function observedAndFaulty(faults: Faults, journal: Journal): Middleware {
  return async (exchange, run) => {
    const { request, response, endpoint } = exchange
    const startedAt = new Date()
    const begin = performance.now()
    // Without an operation, the answer does not wait for the body.
    const body = endpoint && exchange.body().catch(() => undefined)
    const injected = endpoint && body ? await faults.dueFor(endpoint, body) : []
    let answer: Answer | undefined
    try {
      // As a proxy does.
      if (injected.length > 0) await body
      answer = await answerUnder(injected, response, run)
    } finally {
      const milliseconds = Math.round(performance.now() - begin)
      const outcome = { answer, faults: injected, startedAt, milliseconds }
      journal.add(endpoint, journalEntry({ request, endpoint }, await body, outcome))
    }
  }
}

/** Undefined: the operation did not run. */
async function answerUnder(
  faults: readonly Fault[],
  response: ServerResponse,
  run: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const decisive = faults.find(({ kind }) => kind !== 'delay')
  await pause(delayAt('request', faults), response)
  const answer = decisive?.at === 'request' ? insteadOf(decisive) : await run()
  await pause(delayAt('answer', faults), response)
  if (!answer) {
    resetConnection(response)
    return undefined
  }
  const sent = decisive?.kind === 'status' ? statusAnswer(decisive) : answer
  deliver(response, sent, decisive)
  return sent
}

const insteadOf = (fault: Fault): Answer | undefined => (fault.kind === 'status' ? statusAnswer(fault) : undefined)

const delayAt = (point: Fault['at'], faults: readonly Fault[]): number =>
  faults.reduce((sum, fault) => sum + (fault.kind === 'delay' && fault.at === point ? fault.milliseconds : 0), 0)

/** Returns early when the client disconnects. */
async function pause(milliseconds: number, response: ServerResponse): Promise<void> {
  if (milliseconds === 0 || response.closed) return
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  response.once('close', leave)
  await wait(milliseconds, undefined, { signal: gone.signal }).catch(() => undefined)
  response.off('close', leave)
}

function deliver(response: ServerResponse, answer: Answer, fault: Fault | undefined): void {
  if (response.headersSent || response.destroyed) return
  if (fault?.kind === 'reset') resetConnection(response)
  else if (fault?.kind === 'truncate') truncate(response, answer, fault.bytes)
  else if (fault?.kind === 'garbage') garble(response, answer)
  else send(response, answer)
}

function resetConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

function statusAnswer({ status, body, headers: given = {} }: Extract<Fault, { kind: 'status' }>): Answer {
  const { 'content-type': named, ...headers } = given
  const isJson = body !== undefined && typeof body !== 'string'
  const content = isJson ? printJson(body) : (body ?? STATUS_CODES[status] ?? 'Error')
  return { status, content, type: named ?? (isJson ? contentTypes.json : contentTypes.text), headers }
}

/** Announces the full length. */
function truncate(response: ServerResponse, answer: Answer, kept: number | undefined): void {
  const bytes = bytesOf(answer)
  const length = Math.max(bytes.length, 1)
  response.writeHead(answer.status, { 'content-type': answer.type ?? contentTypes.text, 'content-length': length })
  const part = bytes.subarray(0, Math.min(kept ?? Math.floor(length / 2), length - 1))
  response.write(part, () => response.socket?.destroySoon())
}

/** An opening brace and invalid UTF-8. */
const nonsense = Buffer.from([0x7b, 0xff, 0x00, 0xc3, 0x28])

function garble(response: ServerResponse, answer: Answer): void {
  const garbage = Buffer.alloc(Math.max(bytesOf(answer).length, nonsense.length), nonsense)
  const type = answer.type ?? contentTypes.text
  response.writeHead(answer.status, { 'content-type': type, 'content-length': garbage.length }).end(garbage)
}
