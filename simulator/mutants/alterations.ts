/** What happens at the door: small changes of what is asked and answered, from which mutants and variants are put together. */
import {
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
  printJson,
} from '../../lib/json/json.js'
import { encodeBlob } from '../ledger/contracts/created-event-blob.js'
import { changeId } from '../ledger/state/deduplication.js'
import type { InterceptedAnswer, InterceptedRequest, KnownOperation } from '../participant/interceptor.js'
import type { Interceptor, Participant, Stage } from '../participant/participant.js'

/** The body as a JSON object; undefined: it is none. */
export function bodyOf({ body }: Pick<InterceptedRequest, 'body'>): JsonObject | undefined {
  return jsonIn(body.toString('utf8'))
}

export const answerOf = ({ text }: InterceptedAnswer): JsonObject | undefined => jsonIn(text)

/** The text as a JSON object; undefined: it is none. */
export function jsonIn(text: string): JsonObject | undefined {
  try {
    const found = parseJson(text)
    return isJsonObject(found) ? found : undefined
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

export const withBody = (request: InterceptedRequest, body: JsonValue): InterceptedRequest => ({
  ...request,
  body: Buffer.from(printJson(body)),
})

export const json = (status: number, answer: JsonValue): InterceptedAnswer => ({
  status,
  contentType: 'application/json',
  text: printJson(answer),
})

/** Alters what the operations are asked, where it is a JSON object. */
export const alteringRequests =
  (names: readonly KnownOperation[], change: (body: JsonObject) => JsonObject): Interceptor =>
  ({ handle }) =>
  (request) => {
    const body = request.operation && names.includes(request.operation) ? bodyOf(request) : undefined
    return handle(body ? withBody(request, change(body)) : request)
  }

/** Alters what the operations answer, where they accept. */
export const alteringAnswers =
  (
    names: readonly KnownOperation[],
    change: (answer: JsonValue, request: JsonObject, stage: Stage) => JsonValue,
  ): Interceptor =>
  (stage) =>
  async (request) => {
    const told = await stage.handle(request)
    const isMeant = request.operation !== undefined && names.includes(request.operation) && told.status === 200
    return isMeant ? { ...told, text: printJson(change(parseJson(told.text), bodyOf(request) ?? {}, stage)) } : told
  }

/** Lets something happen when the operations have answered; `told` is what they said. */
export const afterwards =
  (
    names: readonly KnownOperation[],
    effect: (request: InterceptedRequest, told: InterceptedAnswer, stage: Stage) => void | Promise<void>,
  ): Interceptor =>
  (stage) =>
  async (request) => {
    const told = await stage.handle(request)
    if (request.operation && names.includes(request.operation)) await effect(request, told, stage)
    return told
  }

/** Whatever is nested more deeply is nothing that anybody meant. */
const deepest = 300

/** Every value of those names, wherever it stands, changed. */
export function everywhere(
  value: JsonValue,
  names: readonly string[],
  change: (value: JsonValue) => JsonValue,
  depth = 0,
): JsonValue {
  if (depth > deepest) return value
  if (Array.isArray(value)) return value.map((item) => everywhere(item, names, change, depth + 1))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, item]): [string, JsonValue] => [
    name,
    names.includes(name) ? change(item) : everywhere(item, names, change, depth + 1),
  ])
  return Object.fromEntries(entries)
}

/** Every text, wherever it stands, changed; names of members stay. */
export function everyText(value: JsonValue, change: (text: string) => string, depth = 0): JsonValue {
  if (depth > deepest) return value
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => everyText(item, change, depth + 1))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, everyText(item, change, depth + 1)]))
}

/** Does something while the participant remembers no accepted change; what it remembered comes back. */
export async function withoutMemory({ ledger }: Participant, task: () => Promise<unknown>): Promise<void> {
  const { acceptedChanges } = ledger.state
  const before = new Map(acceptedChanges)
  acceptedChanges.clear()
  try {
    await task()
  } finally {
    for (const [id, change] of before) if (!acceptedChanges.has(id)) acceptedChanges.set(id, change)
  }
}

/** The changes that were accepted, the oldest first. */
export const acceptedInOrder = ({ ledger }: Participant): string[] =>
  [...ledger.state.transactions.values()].map(({ submission }) => changeId(submission))

/** The createdEventBlob (base64) of a contract that the participant has. */
export function blobOf({ ledger }: Participant, contractId: string): string | undefined {
  const known = ledger.state.contracts.get(contractId)
  return known && encodeBlob(known.contract).toString('base64')
}

let count = 0
export const freshId = (word: string): string => {
  count += 1
  return `${word}-${process.pid}-${count}`
}

/** A body without these members. */
export const without =
  (...members: readonly string[]) =>
  (body: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(body).filter(([member]) => !members.includes(member)))

/** `createdAt` as it stands in names of the command line. */
export const inWords = (member: string): string => member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The value at these names and indices, one inside the other. */
export function at(value: JsonValue | undefined, ...path: (string | number)[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((node, part) => {
    if (Array.isArray(node)) return typeof part === 'number' ? node[part] : undefined
    return isJsonObject(node) && typeof part === 'string' ? node[part] : undefined
  }, value)
}
