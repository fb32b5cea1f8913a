/**
 * Values of a state as JSON. An object with one member of the name `$map`, `$set`, `$integer`, `$bytes` or `$object`
 * stands for a value that JSON lacks. `$object` has the members of an object with a name that begins with `$`: clients
 * choose the names of annotations and of text maps.
 */
import type { JsonObject, JsonValue } from '../../lib/json/json.js'

/**
 * Members with the value undefined are left out. Throws for instances of unknown classes, so no state is lost silently.
 *
 * @example
 * encodeValue(new Map([['alice', 7n]])) // {"$map": [["alice", {"$integer": "7"}]]}
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

/** Reads the values of `encodeValue`. Throws for unknown names that begin with `$`. */
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
