/**
 * The reference 3.5.10 has two kinds of objects. `members` collects all problems, and null means the default. `message`
 * (protobuf) rejects null and stops at the first problem.
 */
import { excerpt, isJsonObject, isNumberText, JsonNumber, type JsonValue } from '../../lib/json/json.js'
import type { Behaviour } from '../base/behaviour.js'
import { undecodableBody } from '../base/errors.js'

export interface Problems {
  /** The behaviour of the participant. */
  readonly has: Behaviour['has']
  add(message: string, path: string): void
}

/** Returns undefined only after a problem. */
export type Decoder<T> = (value: JsonValue, path: string, problems: Problems) => T | undefined

export type DecodedBy<D> = D extends Decoder<infer T> ? T : never

interface Member<T> {
  decode: Decoder<T>
  /** Present: the member is optional. */
  default?: { value: T }
  /** In a message, null stands for the default. */
  nullable?: true
}

export type MemberTypes = Record<string, Member<unknown>>
export type Decoded<M extends MemberTypes> = { [K in keyof M]: M[K] extends Member<infer T> ? T : never }

export const required = <T>(decode: Decoder<T>): Member<T> => ({ decode })
export const optional = <T>(decode: Decoder<T>, value: NoInfer<T>): Member<T> => ({ decode, default: { value } })
export const nullable = <T>(decode: Decoder<T>, value: NoInfer<T>): Member<T> => ({
  decode,
  default: { value },
  nullable: true,
})
export const absentable = <T>(decode: Decoder<T>): Member<T | undefined> => nullable<T | undefined>(decode, undefined)

const wrongType = (value: JsonValue, expected: string, path: string, problems: Problems): undefined =>
  problems.add(`Got value '${excerpt(value, 200)}' with wrong type, expecting ${expected}`, path) as undefined

const at = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
const own = (value: JsonValue, name: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

/** Bounds the answer to a hostile body. */
const mostProblems = 100

/** Throws `PlainRefusal`. */
export function decodeBody<T>(decoder: Decoder<T>, value: JsonValue, has: Behaviour['has']): T {
  const found: string[] = []
  const problems: Problems = {
    has,
    add: (message, path) => {
      if (found.length < mostProblems) found.push(path === '' ? message : `${message} at '${path}'`)
    },
  }
  const decoded = decoder(value, '', problems)
  if (found.length > 0) throw undecodableBody(found)
  return decoded as T // a decoder without problems returned a value
}

export const text: Decoder<string> = (value, path, problems) =>
  typeof value === 'string' ? value : wrongType(value, 'string', path, problems)

export const flag: Decoder<boolean> = (value, path, problems) =>
  typeof value === 'boolean' ? value : wrongType(value, 'boolean', path, problems)

export const anything: Decoder<JsonValue> = (value) => value

/** A JSON number with an integral value in any spelling, or a string that contains one (observed on 3.5.10). */
function integer(name: 'Int' | 'Long', bits: number): Decoder<bigint> {
  const limit = 2n ** BigInt(bits - 1)
  return (value, path, problems) => {
    const found = integralValue(numberText(value))
    if (found !== undefined && found >= -limit && found < limit) return found
    problems.add(name, path)
    return undefined
  }
}

function numberText(value: JsonValue): string {
  if (value instanceof JsonNumber) return value.text
  return typeof value === 'number' || typeof value === 'string' ? String(value) : ''
}

/** Undefined if the string is no JSON number, not integral, or above 64 bits. Exact for each exponent. */
function integralValue(given: string): bigint | undefined {
  if (!isNumberText(given)) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(given) ?? []
  const significant = (whole + fraction).replace(/^0+/, '')
  const digits = withoutEndingZeros(significant)
  if (digits === '') return 0n
  const zeros = Number(exponent) - fraction.length + significant.length - digits.length
  if (zeros < 0 || digits.length + zeros > longestInt64) return undefined
  return BigInt(sign + digits + '0'.repeat(zeros))
}

/** Digits. */
const longestInt64 = 19

/** In linear time, unlike a regular expression. */
function withoutEndingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

export const int32 = integer('Int', 32)
export const int64 = integer('Long', 64)

/** Standard alphabet; full padding or none. */
export const base64: Decoder<Buffer> = (value, path, problems) => {
  if (typeof value !== 'string') return wrongType(value, 'string', path, problems)
  const bare = value.replace(/={0,2}$/, '')
  const isWhole = bare.length === value.length ? bare.length % 4 !== 1 : value.length % 4 === 0
  if (isWhole && /^[A-Za-z0-9+/]*$/.test(bare)) return Buffer.from(value, 'base64')
  problems.add(`The string is not a valid Base64: ${excerpt(value, 80)}`, path)
  return undefined
}

export const oneOf =
  <T extends string>(names: readonly T[]): Decoder<T> =>
  (value, path, problems) => {
    if (typeof value !== 'string') return wrongType(value, 'string', path, problems)
    const found = names.find((name) => name === value)
    if (found !== undefined) return found
    problems.add(`Unrecognized enum value: ${excerpt(value, 80)}. Supported values: ${names.join(', ')}`, path)
    return undefined
  }

export const list =
  <T>(element: Decoder<T>): Decoder<T[]> =>
  (value, path, problems) => {
    if (!Array.isArray(value)) return wrongType(value, 'array', path, problems)
    // An undefined element implies a problem, which rejects the list.
    return value.map((item, index) => element(item, `${path}[${index}]`, problems) as T)
  }

export const dictionary =
  <T>(element: Decoder<T>): Decoder<Map<string, T>> =>
  (value, path, problems) => {
    if (!isJsonObject(value)) return wrongType(value, 'object', path, problems)
    return new Map(Object.entries(value).map(([key, item]) => [key, element(item, at(path, key), problems) as T]))
  }

/** Other values count as objects without members and defaults. */
export const members = <M extends MemberTypes>(types: M): Decoder<Decoded<M>> => object(types, false, () => true)

/** Paths start at the message. */
export const message = <M extends MemberTypes>(types: M): Decoder<Decoded<M>> =>
  object(types, true, (member) => member.nullable === true)

function object<M extends MemberTypes>(
  types: M,
  isMessage: boolean,
  isNullable: (member: Member<unknown>) => boolean,
): Decoder<Decoded<M>> {
  return (value, path, problems) => {
    const result: Record<string, unknown> = {}
    let failed = false
    const first: Problems = {
      has: problems.has,
      add: (text, place) => {
        if (!failed) problems.add(text, place)
        failed = true
      },
    }
    const reported = isMessage ? first : problems
    for (const [name, member] of Object.entries(types)) {
      const place = isMessage ? name : at(path, name)
      const given = own(value, name)
      const isLeft = given === undefined || (given === null && isNullable(member))
      if (isLeft && member.default && isJsonObject(value)) result[name] = member.default.value
      else if (given === undefined) reported.add('Missing required field', place)
      else result[name] = member.decode(given, place, reported)
      if (failed) return undefined
    }
    return result as Decoded<M>
  }
}

/** Lenient: null is the default, and other values are the empty message. */
export function lenientMessage<M extends MemberTypes>(types: M): Decoder<Decoded<M>> {
  const [strict, lenient] = [message(types), object(types, true, () => true)]
  return (value, path, problems) => {
    if (problems.has('lenient-decoding')) return lenient(isJsonObject(value) ? value : {}, path, problems)
    return isJsonObject(value) ? strict(value, path, problems) : wrongType(value, 'object', path, problems)
  }
}

/** Its only key names the case. Lenient: the first known key in alphabetical order. */
export function union<Cases extends Record<string, Decoder<unknown>>>(
  cases: Cases,
): Decoder<DecodedBy<Cases[keyof Cases]>> {
  const known = Object.entries(cases).sort(([a], [b]) => (a < b ? -1 : 1))
  return (value, path, problems) => {
    const [first] = known.flatMap(([name, decode]) => {
      const given = own(value, name)
      return given === undefined ? [] : [{ name, decode, given }]
    })
    if (first && (problems.has('lenient-decoding') || (isJsonObject(value) && Object.keys(value).length === 1)))
      return first.decode(first.given, at(path, first.name), problems) as DecodedBy<Cases[keyof Cases]> // of one case
    problems.add(first ? 'Several keys where one names the kind' : 'JSON decoding to CNil should never happen', path)
    return undefined
  }
}

/** Skips the change after a problem. */
export const mapped =
  <T, U>(decoder: Decoder<T>, change: (value: T) => U): Decoder<U> =>
  (value, path, problems) => {
    let failed = false
    const watch: Problems = {
      has: problems.has,
      add: (message, at) => {
        failed = true
        problems.add(message, at)
      },
    }
    const decoded = decoder(value, path, watch)
    return decoded === undefined || failed ? undefined : change(decoded)
  }

/** The content of a member of a oneof. */
export const contentOf = <T>(decoder: Decoder<T>): Decoder<T> =>
  mapped(message({ value: required(decoder) }), ({ value }) => value)

/** Adds the name of the case. */
export const tagged = <const Kind extends string, T extends object>(
  kind: Kind,
  decoder: Decoder<T>,
): Decoder<T & { kind: Kind }> => mapped(decoder, (content) => ({ ...content, kind }))

export const emptyCase: Decoder<Record<string, never>> = (value, path, problems) => {
  if (isJsonObject(value)) return {}
  problems.add('HNil', path)
  return undefined
}
