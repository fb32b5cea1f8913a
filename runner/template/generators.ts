/** Generated values in suites, such as `{ $repeat: a, times: 256 }`. */
import { createHash } from 'node:crypto'
import { same } from '../../lib/json/canonical.js'
import { isJsonObject, isNumberText, JsonNumber, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import { alter } from '../sign/alter.js'
import { damage } from '../sign/damage.js'
import { preparedHash, schemeNamed } from '../sign/prepared-hash.js'
import { ecdsaForm, ed25519PlusOrder } from '../sign/signature-form.js'
import type { KeyedGeneration } from './keyed-generation.js'
import { valueAt } from './pointer.js'

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

/** Argument and result are bytes in base64. */
const ofBytes = (make: (bytes: Buffer, others: Record<string, JsonValue>) => Buffer | undefined): Generator =>
  ofText((text, others) => make(Buffer.from(text, 'base64'), others)?.toString('base64'))

export const generators: Readonly<Record<string, Generator>> = {
  /** `{ $repeat: a, times: 256 }` */
  $repeat: ofText((text, { times }) => (isLength(times, text.length) ? text.repeat(times) : undefined)),
  /** `{ $times: a, times: 1000 }`: a list of equal items. */
  $times: (item, { times }) =>
    isLength(times) && times <= maxItems ? new Array<JsonValue>(times).fill(item) : undefined,
  /** `{ $nested: 1, depth: 1000 }`: the value in nested lists; with `under: value` and `beside: { tag: S }`, in nested objects. */
  $nested: (value, { depth, under, beside = {} }) =>
    isLength(depth) && depth <= maxItems && isJsonObject(beside)
      ? nested(
          value,
          depth,
          typeof under === 'string' ? (inner) => ({ ...beside, [under]: inner }) : (inner) => [inner],
        )
      : undefined,
  /** `{ $numbered: "k#", times: 1000 }`: a list in which `#` is the index; `as: object` returns an object of the pairs. */
  $numbered: (item, { times, as }) =>
    isLength(times) && times <= maxItems ? numbered(item, times, as === 'object') : undefined,
  /** `{ $pad: start, with: c, to: 255 }`: the string, padded at the end. */
  $pad: ofText((text, { with: filler, to }) =>
    typeof filler === 'string' && filler !== '' && isLength(to) && to >= text.length
      ? text.padEnd(to, filler)
      : undefined,
  ),
  /** `{ $number: "9223372036854775807" }`: a number with this exact spelling, such as `3.0` or `1e400`. */
  $number: ofText((text) => (isNumberText(text) ? new JsonNumber(text) : undefined)),
  /** `{ $sum: ["${limit}", 1] }`: safe integers only. */
  $sum: (numbers) => (Array.isArray(numbers) && numbers.every(Number.isSafeInteger) ? sum(numbers) : undefined),
  /** `{ $after: "2030-01-01T00:00:00Z", seconds: 3 }` */
  $after: ofText((time, { seconds }) => (typeof seconds === 'number' ? later(time, seconds) : undefined)),
  /** `{ $flip-digit: 00ab… }`: changes one hexadecimal digit, the thirteenth or, with `at: end`, the last. */
  '$flip-digit': ofText((text, { at }) => {
    const place = at === 'end' ? text.length - 1 : 12
    return text.length > 12
      ? `${text.slice(0, place)}${text[place] === '0' ? '1' : '0'}${text.slice(place + 1)}`
      : undefined
  }),
  /** `{ $without: list, where: { name: value } }`: removes the objects with these members. */
  $without: (list, { where }) =>
    Array.isArray(list) && isJsonObject(where) ? list.filter((item) => !hasMembers(item, where)) : undefined,
  /** `{ $member: object, named: name }`: null if the member is missing. */
  $member: (object, { named }) =>
    isJsonObject(object) && typeof named === 'string' ? (valueAt(object, `/${named}`) ?? null) : undefined,
  /** `{ $turn: [a, b], of: "${attempt}" }`: requests of a race use the items in turn; attempts count from 1. */
  $turn: (items, { of: attempt }) =>
    Array.isArray(items) && isLength(attempt) && attempt > 0 ? items[(attempt - 1) % items.length] : undefined,
  /** `{ $sign: base64, with: fingerprint }`: a signature object; `digest: sha384` replaces the digest of the key. */
  $sign: ofText((message, { with: fingerprint, digest }, keyed) =>
    keyed((keys) =>
      keys
        .get(String(fingerprint))
        ?.sign(Buffer.from(message, 'base64'), digest === 'sha256' || digest === 'sha384' ? digest : undefined),
    ),
  ),
  /** `{ $signature: base64, with: fingerprint }`: only the bytes of the signature. */
  $signature: ofText((message, { with: fingerprint }, keyed) =>
    keyed((keys) => keys.get(String(fingerprint))?.sign(Buffer.from(message, 'base64'))['signature']),
  ),
  /** `{ $other-fingerprint: fingerprint }`: the fingerprint of another encoding of the key. */
  '$other-fingerprint': ofText((fingerprint, _, keyed) => keyed((keys) => keys.get(fingerprint)?.otherFingerprint)),
  /** `{ $upper-case: text }` */
  '$upper-case': ofText((text) => text.toUpperCase()),
  /** `{ $prepared-hash: base64, scheme: V2 }`: the computed hash of a prepared transaction. */
  '$prepared-hash': ofText((prepared, { scheme }) => {
    const knownScheme = schemeNamed(scheme)
    return knownScheme && preparedHash(prepared, knownScheme)
  }),
  /** `{ $alter: base64, set: { metadata.transaction_uuid: … } }`: an altered prepared transaction; `changes` has further alterations. */
  $alter: ofText((prepared, { $alter: _, changes = {}, ...alterations }) =>
    isJsonObject(changes) ? alter(prepared, { ...alterations, ...changes }) : undefined,
  ),
  /** `{ $uuid: text }`: a UUID derived from the string. */
  $uuid: ofText(uuidOf),
  /** `{ $damage: base64, how: flip-first }` */
  $damage: ofBytes((bytes, { how }) => (typeof how === 'string' ? damage(bytes, how) : undefined)),
  /** `{ $ecdsa-form: base64, curve: p256, form: negated-s }` */
  '$ecdsa-form': ofBytes((bytes, { curve, form }) => ecdsaForm(bytes, String(curve), String(form))),
  /** `{ $ed25519-plus-order: base64 }` */
  '$ed25519-plus-order': ofBytes(ed25519PlusOrder),
  /** `{ $hex: base64 }`: lower-case hexadecimal. */
  $hex: ofText((text) => Buffer.from(text, 'base64').toString('hex')),
  /** `{ $base64: base64, as: url }`: another spelling: `url`, `unpadded`, `half-padded` or `lines`. */
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

/** Undefined if the sum is no safe integer. */
function sum(numbers: readonly JsonValue[]): number | undefined {
  const total = numbers.reduce<number>((all, number) => all + Number(number), 0)
  return Number.isSafeInteger(total) ? total : undefined
}

const isLength = (value: JsonValue | undefined, each = 1): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value * each <= maxLength

/** Adds whole seconds and keeps the fraction, which may be finer than milliseconds. */
function later(time: string, seconds: number): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(time)
  const start = parts ? Date.parse(`${parts[1]}Z`) : Number.NaN
  const moved = new Date(start + seconds * 1000)
  if (!parts || Number.isNaN(moved.getTime()) || !Number.isInteger(seconds)) return undefined
  const [whole = ''] = moved.toISOString().split('.')
  return whole.length === 19 ? `${whole}${parts[2] ?? ''}Z` : undefined
}
