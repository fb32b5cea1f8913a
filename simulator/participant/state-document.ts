/** A saved state is one JSON document, on disk and in the control plane. See docs/decisions/0120. */
import { createHash } from 'node:crypto'
import { longestState } from '../../lib/files/read-input.js'
import {
  excerpt,
  isJsonObject,
  type JsonObject,
  JsonSyntaxError,
  type JsonValue,
  parseJson,
} from '../../lib/json/json.js'
import { StateError } from '../base/errors.js'
import type { Participant } from './participant.js'
import {
  type ParticipantState,
  type SavedCompletion,
  type SavedParts,
  savedCompletion,
  savedParts,
  stateFrom,
  stateOf,
  takeState,
} from './saved-parts.js'

const format = 'state of a simulated participant'
/** Increase it with each change of the format or the meaning of a saved member. */
const version = 6

/** Immutable. */
export interface StateDocument extends JsonObject {
  format: string
  version: number
  /** ISO 8601. */
  savedAt: string
  /** Without the completions. */
  state: JsonValue
  /** In order of offsets, with all transactions. */
  completions: JsonValue[]
  /** SHA-256 of the compact JSON of `state` and of each completion, in hex. */
  digest: string
}

/** Throws `StateError`. */
export const saveState = (participant: Participant): StateDocument =>
  JSON.parse([...stateText(participant)].join('')) as StateDocument // `stateText` writes this type

/**
 * The document in pieces, so that the simulator answers requests while it writes a large state. The first `next` fixes
 * the state. `longest`: in bytes. Throws `StateError`.
 */
export function* stateText(participant: Participant, longest = longestState): Generator<string> {
  const { ledger } = participant
  // Completions are immutable.
  const completions = [...ledger.state.completions]
  const digest = createHash('sha256')
  let size = 0
  const print = (part: SavedParts | SavedCompletion): string => {
    const text = JSON.stringify(encodeValue(part))
    digest.update(text)
    return text
  }
  const counted = (text: string): string => {
    size += Buffer.byteLength(text)
    if (size > longest) throw tooLarge(completions.length, longest)
    return text
  }
  const head = JSON.stringify({ format, version, savedAt: new Date().toISOString() })
  const state = print(savedParts(stateOf(participant)))
  yield counted(`${head.slice(0, -1)},"state":${state},"completions":[`)
  for (const [index, completion] of completions.entries()) {
    yield counted(`${index === 0 ? '' : ','}\n${print(savedCompletion(completion, ledger.state.contracts))}`)
  }
  yield counted(`],"digest":"${digest.digest('hex')}"}\n`)
}

function tooLarge(completions: number, longest: number): StateError {
  const problem = `the state of ${completions} completions exceeds ${longest / 2 ** 20} MiB, the longest state`
  return new StateError('STATE_TOO_LARGE', `${problem}; start with a smaller state`)
}

/** Operations in progress finish on the earlier state. A `StateError` changes nothing. */
export const restoreState = (document: StateDocument, participant: Participant): void =>
  takeState(stateIn(document), participant)

/**
 * Throws `StateError`.
 * @internal
 */
export function stateIn({ state, completions }: StateDocument): ParticipantState {
  try {
    // The digest detects changes, so the types are those of `stateText`.
    return stateFrom(decodeValue(state) as SavedParts, completions.map(decodeValue) as SavedCompletion[])
  } catch (error) {
    if (error instanceof StateError) throw error
    throw new StateError('STATE_INCONSISTENT', `the state cannot be decoded: ${String(error)}`)
  }
}

/** Throws `StateError`. */
export function readStateDocument(text: string): StateDocument {
  const value = parse(text)
  if (!isJsonObject(value) || value['format'] !== format) {
    const needed = `a saved state has "format": "${format}"`
    throw new StateError('NO_STATE', `this JSON is not a saved state: ${needed}; use the answer of GET /control/state`)
  }
  const { version: found = null, savedAt, state, completions, digest } = value
  if (found !== version) {
    const problem = `a state of version ${excerpt(found, 40)}, but this simulator takes version ${version}`
    throw new StateError('STATE_VERSION', `${problem}; save it again with this version`)
  }
  const isComplete = state !== undefined && Array.isArray(completions) && typeof savedAt === 'string'
  if (!isComplete || typeof digest !== 'string' || digest !== digestOf([state, ...completions])) {
    const problem = 'the state changed after it was saved: its digest does not match'
    throw new StateError(
      'STATE_INCONSISTENT',
      `${problem}; use an unchanged file, or the unchanged answer of GET /control/state`,
    )
  }
  return { format, version, savedAt, state, completions, digest }
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue // the return type of JSON.parse
  } catch {
    // Reports the line.
    try {
      return parseJson(text)
    } catch (error) {
      if (error instanceof JsonSyntaxError) throw new StateError('NOT_JSON', `line ${error.line}: ${error.message}`)
      throw error
    }
  }
}

/** Undefined: nested too deep for JSON.stringify. */
function digestOf(parts: JsonValue[]): string | undefined {
  const digest = createHash('sha256')
  try {
    for (const part of parts) digest.update(JSON.stringify(part))
  } catch {
    return undefined
  }
  return digest.digest('hex')
}

/**
 * Values of a state as JSON. An object with one member of the name `$map`, `$set`, `$integer`, `$bytes` or `$object`
 * stands for a value that JSON lacks. `$object` has the members of an object with a name that begins with `$`: clients
 * choose the names of annotations and of text maps.
 */

/**
 * Members with the value undefined are left out. Throws for instances of unknown classes, so no state is lost silently.
 *
 * @example
 * encodeValue(new Map([['alice', 7n]])) // {"$map": [["alice", {"$integer": "7"}]]}
 * @internal
 */
export function encodeValue(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'bigint') return { $integer: String(value) }
  if (Buffer.isBuffer(value)) return { $bytes: value.toString('base64') }
  if (Array.isArray(value)) return value.map(encodeValue)
  if (value instanceof Set) return { $set: [...value].map(encodeValue) }
  if (value instanceof Map) return { $map: [...value].map((pair) => pair.map(encodeValue)) }
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) return encodeObject(value)
  throw new TypeError(
    `a state contains plain values only, not ${Object.prototype.toString.call(value)}; save it as data`,
  )
}

function encodeObject(value: object): JsonObject {
  const members: [string, JsonValue][] = []
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push([name, encodeValue(member)])
  }
  if (members.some(([name]) => name.startsWith('$'))) return { $object: members }
  // Unlike an assignment, `fromEntries` keeps a member `__proto__`.
  return Object.fromEntries(members)
}

/**
 * Reads the values of `encodeValue`. Throws for unknown names that begin with `$`.
 * @internal
 */
export function decodeValue(value: JsonValue): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(decodeValue)
  const members = Object.entries(value)
  const [name = '', content = null] = members[0] ?? []
  if (name.startsWith('$')) return decodeSpecial(name, content)
  return Object.fromEntries(members.map(([name, member]) => [name, decodeValue(member)]))
}

function decodeSpecial(name: string, content: JsonValue): unknown {
  if (name === '$integer') return BigInt(String(content))
  if (name === '$bytes') return Buffer.from(String(content), 'base64')
  const items = decodeValue(content) as unknown[] // `encodeValue` writes an array for the other names
  if (name === '$set') return new Set(items)
  if (name === '$map') return new Map(items as [unknown, unknown][]) // pairs, as `encodeValue` writes
  if (name === '$object') return Object.fromEntries(items as [string, unknown][]) // pairs, as `encodeValue` writes
  throw new TypeError(`a state has no values of the kind ${name.slice(0, 40)}`)
}
