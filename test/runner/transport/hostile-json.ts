/** Random request bodies: damaged valid ones, which pass the first checks, and odd values. */

import { isJsonObject, JsonNumber, type JsonObject, type JsonValue, printJson } from '../../../lib/json/json.js'
import fc from '../../support/records/properties.js'

const deep: JsonValue = Array.from({ length: 3000 }).reduce<JsonValue>((inner) => [inner], [])

const oddValues: JsonValue[] = [
  ...[null, true, false, 0, -1, 1.5, -0, 2 ** 31, 2 ** 53, 1e308],
  ...['1e400', '-9223372036854775809', '0.1e-400', '123456789012345678901234567890'].map(
    (text) => new JsonNumber(text),
  ),
  ...['', ' ', '\0', '\ud800', '\udc00x', 'ü', '💥', '<script>'],
  ...['__proto__', 'constructor', 'x'.repeat(300), '0'.repeat(70)],
  ...['#', ':', '::', 'a:b:c', '#a:b:c', '#conformance-model:A:B', `${'ab'.repeat(32)}:A:B`, 'a:b:c:d'],
  ...['::1220', 'alice::1220'],
  ...['00', `00${'ab'.repeat(32)}`, `00${'ab'.repeat(33)}`, `01${'ab'.repeat(12)}`, `00${'AB'.repeat(40)}`, '1220'],
  ...['+1', '-0', '1e3', '0x10', '٣', 'NaN', '9'.repeat(40), '1.', '.5'],
  ...['2030-02-30', '0000-01-01', '+999999999-12-31'],
  ...['2030-01-01T00:00:00Z', '2030-01-01T24:00:00Z', '-0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999+18:00'],
  ...['AAAA', 'CgMyLjE=', 'Cg', 'EgA=', '=', 'a-_b'],
  ...[[], {}, [[]], [null], [[], []], [['a', 'b', 'c']], { '': 0 }, { value: {} }, { tag: 'Circle', value: '1' }, deep],
  ...[{ Empty: {} }, { DeduplicationOffset: { value: -1 } }, { DeduplicationDuration: { value: { seconds: -1 } } }],
  ...[{ seconds: new JsonNumber('9223372036854775807'), nanos: 2147483647 }, { seconds: -1, nanos: -1 }, { kind: {} }],
]

const oddValue: fc.Arbitrary<JsonValue> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddValues) },
  fc.string({ unit: 'binary' }),
  fc.jsonValue().map((value) => value as JsonValue), // what JSON.parse could return
)

type Damage = { at: number; change: 'replace' | 'remove' | 'wrap' | 'add' | 'double'; value: JsonValue; name: string }

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(1000),
  change: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'wrap', 'add', 'double'),
  value: oddValue,
  name: fc.constantFrom(
    ...['__proto__', 'x', '', 'value', 'templateId', 'contractId', 'Empty', 'toString', 'limit', 'templateId'],
  ),
})

/** A body after up to three damages, rarely with wrong bytes in its text. */
export function damagedBody(bodies: fc.Arbitrary<JsonValue>): fc.Arbitrary<Buffer> {
  const wrongBytes = fc.array(fc.tuple(fc.nat(100_000), fc.nat(255)), { maxLength: 2 })
  return fc
    .tuple(bodies, fc.array(damage, { maxLength: 3 }), fc.oneof({ weight: 7, arbitrary: fc.constant([]) }, wrongBytes))
    .map(([body, damages, wrong]) => {
      const bytes = Buffer.from(printJson(damages.reduce(damaged, structuredCopy(body))))
      for (const [place, value] of wrong) if (bytes.length > 0) bytes.writeUInt8(value, place % bytes.length)
      // A failed property shows text, not numbers.
      return Object.assign(bytes, { [fc.toStringMethod]: () => bytes.toString() })
    })
}

const structuredCopy = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map(structuredCopy)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, structuredCopy(item)]))
}

interface Place {
  container: JsonValue[] | JsonObject
  key: number | string
}

function damaged(body: JsonValue, { at, change, value: shared, name }: Damage): JsonValue {
  // The next damage may change the inserted value.
  const value = structuredCopy(shared)
  const places = placesIn(body)
  const place = places[at % (places.length + 1)]
  if (!place) return change === 'replace' ? value : body
  const { container, key } = place
  const present = Array.isArray(container) ? (container[Number(key)] ?? null) : (container[key] ?? null)
  if (change === 'remove' && Array.isArray(container)) container.splice(Number(key), 1)
  else if (change === 'remove') Reflect.deleteProperty(container, key)
  else if (change === 'replace') put(container, key, value)
  else if (change === 'wrap') put(container, key, [present])
  else if (Array.isArray(container)) container.push(change === 'double' ? present : value)
  else put(container, change === 'double' ? `${key}x` : name, value)
  return body
}

function put(container: JsonValue[] | JsonObject, key: number | string, value: JsonValue): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true })
}

function placesIn(value: JsonValue, depth = 0): Place[] {
  if (depth > 12) return []
  if (Array.isArray(value)) {
    return value.flatMap((item, key) => [{ container: value, key }, ...placesIn(item, depth + 1)])
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => [{ container: value, key }, ...placesIn(item, depth + 1)])
}
