import { createHash } from 'node:crypto'
import { preparedHash } from '../../interface/prepared-transaction/hash.js'
import { schemeNamed } from '../../interface/prepared-transaction/hash-encoding.js'
import { same } from '../../lib/json/canonical.js'
import {
  isJsonObject,
  isNumberText,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  printJson,
} from '../../lib/json/json.js'
import { alter, damage } from '../sign/alter.js'
import { ecdsaForm, ed25519PlusOrder } from '../sign/signature-form.js'
import type { KeyRing } from '../sign/signing-key.js'
import { valueAt } from './pointer.js'

/** Returns the result of `make`. */
export type KeyedGeneration = (make: (keys: KeyRing) => JsonValue | undefined) => JsonValue | undefined

/** Appends each value to `generated` as JSON. */
export const byKeys =
  (keys: KeyRing, generated: string[] = []): KeyedGeneration =>
  (make) => {
    const value = make(keys)
    if (value !== undefined) generated.push(printJson(value))
    return value
  }

export const withoutKeys: KeyedGeneration = () => undefined

/** Returns undefined for invalid arguments. */
type Generator = (
  argument: JsonValue,
  others: Record<string, JsonValue>,
  keyed: KeyedGeneration,
) => JsonValue | undefined

const ofText =
  (
    make: (text: string, others: Record<string, JsonValue>, keyed: KeyedGeneration) => JsonValue | undefined,
  ): Generator =>
  (argument, others, keyed) =>
    typeof argument === 'string' ? make(argument, others, keyed) : undefined

/** Argument and result are base64. */
const ofBytes = (make: (bytes: Buffer, others: Record<string, JsonValue>) => Buffer | undefined): Generator =>
  ofText((text, others) => make(Buffer.from(text, 'base64'), others)?.toString('base64'))

export const generators: Readonly<Record<string, Generator>> = {
  $repeat: ofText((text, { times }) => (isLength(times, text.length) ? text.repeat(times) : undefined)),
  $times: (item, { times }) =>
    isLength(times) && times <= maxItems ? new Array<JsonValue>(times).fill(item) : undefined,
  /** In nested arrays; with `under` and `beside`, in nested objects. */
  $nested: (value, { depth, under, beside = {} }) =>
    isLength(depth) && depth <= maxItems && isJsonObject(beside)
      ? nested(
          value,
          depth,
          typeof under === 'string' ? (inner) => ({ ...beside, [under]: inner }) : (inner) => [inner],
        )
      : undefined,
  /** `#` is the index; `as: object` returns an object of the pairs. */
  $numbered: (item, { times, as }) =>
    isLength(times) && times <= maxItems ? numbered(item, times, as === 'object') : undefined,
  $pad: ofText((text, { with: filler, to }) =>
    typeof filler === 'string' && filler !== '' && isLength(to) && to >= text.length
      ? text.padEnd(to, filler)
      : undefined,
  ),
  /** Exact spelling, such as `3.0` or `1e400`. */
  $number: ofText((text) => (isNumberText(text) ? new JsonNumber(text) : undefined)),
  $sum: (numbers) => (Array.isArray(numbers) && numbers.every(Number.isSafeInteger) ? sum(numbers) : undefined),
  $after: ofText((time, { seconds }) => (typeof seconds === 'number' ? later(time, seconds) : undefined)),
  /** The thirteenth hexadecimal digit or, with `at: end`, the last. */
  '$flip-digit': ofText((text, { at }) => {
    const place = at === 'end' ? text.length - 1 : 12
    return text.length > 12
      ? `${text.slice(0, place)}${text[place] === '0' ? '1' : '0'}${text.slice(place + 1)}`
      : undefined
  }),
  $without: (list, { where }) =>
    Array.isArray(list) && isJsonObject(where) ? list.filter((item) => !hasMembers(item, where)) : undefined,
  /** Null if the member is missing. */
  $member: (object, { named }) =>
    isJsonObject(object) && typeof named === 'string' ? (valueAt(object, `/${named}`) ?? null) : undefined,
  /** For races; attempts count from 1. */
  $turn: (items, { of: attempt }) =>
    Array.isArray(items) && isLength(attempt) && attempt > 0 ? items[(attempt - 1) % items.length] : undefined,
  /** `digest` replaces that of the key. */
  $sign: ofText((message, { with: fingerprint, digest }, keyed) =>
    keyed((keys) =>
      keys
        .get(String(fingerprint))
        ?.sign(Buffer.from(message, 'base64'), digest === 'sha256' || digest === 'sha384' ? digest : undefined),
    ),
  ),
  $signature: ofText((message, { with: fingerprint }, keyed) =>
    keyed((keys) => keys.get(String(fingerprint))?.sign(Buffer.from(message, 'base64'))['signature']),
  ),
  /** Of another encoding of the key. */
  '$other-fingerprint': ofText((fingerprint, _, keyed) => keyed((keys) => keys.get(fingerprint)?.otherFingerprint)),
  '$upper-case': ofText((text) => text.toUpperCase()),
  '$prepared-hash': ofText((prepared, { scheme }) => {
    const knownScheme = schemeNamed(scheme)
    return knownScheme && preparedHash(prepared, knownScheme)
  }),
  $alter: ofText((prepared, { $alter: _, changes = {}, ...alterations }) =>
    isJsonObject(changes) ? alter(prepared, { ...alterations, ...changes }) : undefined,
  ),
  $uuid: ofText(uuidOf),
  $damage: ofBytes((bytes, { how }) => (typeof how === 'string' ? damage(bytes, how) : undefined)),
  '$ecdsa-form': ofBytes((bytes, { curve, form }) => ecdsaForm(bytes, String(curve), String(form))),
  '$ed25519-plus-order': ofBytes(ed25519PlusOrder),
  $hex: ofText((text) => Buffer.from(text, 'base64').toString('hex')),
  /** `as`: `url`, `unpadded`, `half-padded` or `lines`. */
  $base64: ofText((text, { as }) => spellings[String(as)]?.(text)),
}

const hasMembers = (item: JsonValue, members: JsonObject): boolean =>
  isJsonObject(item) && Object.entries(members).every(([name, value]) => same(item[name], value))

const spellings: Readonly<Record<string, (text: string) => string>> = {
  url: (text) => Buffer.from(text, 'base64').toString('base64url'),
  unpadded: (text) => text.replace(/=+$/, ''),
  'half-padded': (text) => text.replace(/==$/, '='),
  lines: (text) => text.replace(/.{64}/g, '$&\n'),
}

function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex')
  // Participants may require the version and variant of random UUIDs.
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

/** A length may come from a response, so it is bounded. */
const maxLength = 64 * 1024 * 1024

/** Elements or levels. */
const maxItems = 1_000_000

function nested(value: JsonValue, depth: number, around: (inner: JsonValue) => JsonValue): JsonValue {
  let whole = value
  for (let level = 0; level < depth; level += 1) whole = around(whole)
  return whole
}

function numbered(item: JsonValue, times: number, asObject: boolean): JsonValue {
  const texts = Array.isArray(item) ? item : [item]
  const items = Array.from({ length: times }, (_, number) =>
    texts.map((text) => (typeof text === 'string' ? text.replaceAll('#', String(number)) : text)),
  )
  if (asObject) return Object.fromEntries(items.map(([name, value]) => [String(name), value ?? null]))
  return Array.isArray(item) ? items : items.flat()
}

function sum(numbers: readonly JsonValue[]): number | undefined {
  const total = numbers.reduce<number>((all, number) => all + Number(number), 0)
  return Number.isSafeInteger(total) ? total : undefined
}

const isLength = (value: JsonValue | undefined, each = 1): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value * each <= maxLength

/** Keeps the fraction, which may be finer than milliseconds. */
function later(time: string, seconds: number): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(time)
  const start = parts ? Date.parse(`${parts[1]}${parts[3]}`) : Number.NaN
  const moved = new Date(start + seconds * 1000)
  if (!parts || Number.isNaN(moved.getTime()) || !Number.isInteger(seconds)) return undefined
  const [whole = ''] = moved.toISOString().split('.')
  return whole.length === 19 ? `${whole}${parts[2] ?? ''}Z` : undefined
}
