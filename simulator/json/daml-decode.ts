/** Daml values from JSON, in the first of three steps: what comes later stands in daml-check.ts. */

import type { DamlType, Field } from '../../daml/schema/daml-type.js'
import { compareDaml, compareText } from '../../daml/schema/order.js'
import type { DamlIdentifier, DamlRecord, DamlValue } from '../../interface/daml-value.js'
import { excerpt, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import { tooDeep } from './daml-check.js'
import { parseInt64, printDouble, readNumeric } from './daml-number.js'
import { parseDate, parseTimestamp } from './daml-time.js'

/**
 * - `wrong-kind`, `unparsable`, `missing-element`: the reference participant 3.5.10 answers 500 LEDGER_API_INTERNAL_ERROR
 * - `invalid-argument`: 400 INVALID_ARGUMENT
 * - `missing-fields`, `too-deep`: 400 COMMAND_PREPROCESSING_FAILED
 */
type DamlJsonErrorKind =
  | 'wrong-kind'
  | 'unparsable'
  | 'missing-element'
  | 'invalid-argument'
  | 'missing-fields'
  | 'too-deep'

/** JSON that is no value of the type; the message is that of the reference participant's JSON layer. */
export class DamlJsonError extends Error {
  override readonly name = 'DamlJsonError'
  readonly kind: DamlJsonErrorKind

  constructor(kind: DamlJsonErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/**
 * Decodes a value as the JSON layer of the reference participant 3.5.10 does; throws `DamlJsonError`. Texts, parties, contract
 * ids, dates and times may still be refused by `checkDaml`; so may a Numeric, which then holds the text that was sent.
 */
export function decodeDaml(type: DamlType, json: JsonValue, depth = 0): DamlValue {
  // The reference participant ends its process on values far deeper than it takes.
  if (depth > deepestJson) throw new DamlJsonError('too-deep', tooDeep)
  const inner: Decode = (of, part) => decodeDaml(of, part, depth + 1)
  switch (type.type) {
    case 'unit':
      return { kind: 'unit' }
    case 'bool':
      if (typeof json !== 'boolean') throw wrongKind('Bool', json)
      return { kind: 'bool', value: json }
    case 'int64':
      return { kind: 'int64', value: int64(textOf(json)) }
    case 'numeric': {
      const sent = numericText(json)
      return { kind: 'numeric', value: readNumeric(sent, type.scale).value ?? sent }
    }
    case 'text':
    case 'party':
    case 'contractId':
      return { kind: type.type, value: textOf(json) }
    case 'date':
      return { kind: 'date', value: parsed(json, parseDate) }
    case 'timestamp':
      return { kind: 'timestamp', value: parsed(json, parseTimestamp) }
    case 'optional':
      return { kind: 'optional', value: optional(type.of, json, inner) }
    case 'list':
      return { kind: 'list', items: arrayOf(json).map((item) => inner(type.of, item)) }
    case 'textMap': {
      const entries = Object.entries(objectOf(json)).map(([key, item]): [string, DamlValue] => [
        key,
        inner(type.of, item),
      ])
      return { kind: 'textMap', entries: sorted(entries, compareText) }
    }
    case 'genMap': {
      const entries = arrayOf(json).map((pair) => entry(type.key, type.of, pair, inner))
      return { kind: 'genMap', entries: sorted(entries, (a, b) => compareDaml(type.key, a, b)) }
    }
    case 'record':
      return record(type.id, type.fields, objectOf(json), inner)
    case 'variant':
      return variant(type.id, type.constructors, json, inner)
    case 'enum': {
      const chosen = textOf(json)
      if (type.constructors.includes(chosen)) return { kind: 'enum', id: type.id, constructor: chosen }
      throw new DamlJsonError('unparsable', `Unexpected case: ${excerpt(chosen, shown)}`)
    }
  }
}

/** How deep values are followed: far deeper than any that is taken. */
const deepestJson = 500

/** Decodes a part of a value. */
type Decode = (type: DamlType, json: JsonValue) => DamlValue

/** Characters of a refused value that a message shows. */
const shown = 200

const wrongKind = (expected: 'Str' | 'Bool' | 'Arr' | 'Obj', json: JsonValue): DamlJsonError =>
  new DamlJsonError('wrong-kind', `Expected ujson.${expected} (data: ${excerpt(json, shown)})`)

function textOf(json: JsonValue): string {
  if (typeof json !== 'string') throw wrongKind('Str', json)
  return json
}

function arrayOf(json: JsonValue): JsonValue[] {
  if (!Array.isArray(json)) throw wrongKind('Arr', json)
  return json
}

function objectOf(json: JsonValue): JsonObject {
  if (!isJsonObject(json)) throw wrongKind('Obj', json)
  return json
}

const member = (json: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(json, name) ? json[name] : undefined

function int64(text: string): bigint {
  const value = parseInt64(text)
  if (value === undefined) throw new DamlJsonError('invalid-argument', `For input string: ${excerpt(text, shown)}`)
  return value
}

/** A number goes through a double, so that only the digits of one remain, perhaps with an exponent. */
function numericText(json: JsonValue): string {
  if (typeof json === 'string') return json
  if (typeof json === 'number') return printDouble(json)
  if (json instanceof JsonNumber) return printDouble(Number(json.text))
  throw new DamlJsonError('invalid-argument', `${excerpt(json, shown)} is not a valid numeric value`)
}

function parsed<T>(json: JsonValue, parse: (text: string) => T | undefined): T {
  const value = parse(textOf(json))
  if (value === undefined) throw new DamlJsonError('unparsable', `Text ${excerpt(json, shown)} could not be parsed`)
  return value
}

/** An Optional is the value or null; in a nest of Optionals each is an array of at most one (more are ignored). */
function optional(of: DamlType, json: JsonValue, inner: Decode): DamlValue | undefined {
  if (of.type === 'optional') return nestedOptional(of, json, inner)
  return json === null ? undefined : inner(of, json)
}

function nestedOptional(of: DamlType, json: JsonValue, inner: Decode): DamlValue | undefined {
  const [first] = arrayOf(json)
  if (first === undefined) return undefined
  if (of.type !== 'optional') return inner(of, first)
  return { kind: 'optional', value: nestedOptional(of.of, first, inner) }
}

function entry(keyType: DamlType, valueType: DamlType, json: JsonValue, inner: Decode): [DamlValue, DamlValue] {
  const pair = arrayOf(json)
  return [inner(keyType, elementOf(pair, 0)), inner(valueType, elementOf(pair, 1))]
}

/** The reference reads the element without asking whether it exists, and the key before the value. */
function elementOf(pair: readonly JsonValue[], index: number): JsonValue {
  const element = pair[index]
  if (element !== undefined) return element
  throw new DamlJsonError('missing-element', `${index} is out of bounds (min 0, max ${pair.length - 1})`)
}

/** Sorts by key; of equal keys the last counts. */
function sorted<K>(entries: [K, DamlValue][], compare: (a: K, b: K) => number): [K, DamlValue][] {
  const inOrder = entries.toSorted(([a], [b]) => compare(a, b))
  return inOrder.filter(([key], index) => {
    const next = inOrder[index + 1]
    return !next || compare(key, next[0]) !== 0
  })
}

function record(id: DamlIdentifier, fields: Field[], json: JsonObject, inner: Decode): DamlRecord {
  const mandatory = fields.filter(([, type]) => type.type !== 'optional').map(([label]) => label)
  const missing = mandatory.filter((label) => !Object.hasOwn(json, label))
  if (missing.length > 0) {
    const set = mandatory.length > 4 ? 'HashSet' : 'Set'
    throw new DamlJsonError('missing-fields', `Missing non-optional fields: ${set}(${missing.join(', ')})`)
  }
  const known = new Set(fields.map(([label]) => label))
  const unexpected = Object.keys(json).filter((name) => !known.has(name) && member(json, name) !== null)
  if (unexpected.length > 0) {
    throw new DamlJsonError('invalid-argument', `Unexpected fields: ${excerpt(unexpected.join(''), shown)}`)
  }
  // The reference looks at the last field first: of several faults, the last one is reported.
  const values = fields
    .toReversed()
    .map(([label, type]): [string, DamlValue] => [label, inner(type, member(json, label) ?? null)])
  return { kind: 'record', id, fields: values.reverse() }
}

function variant(id: DamlIdentifier, constructors: Field[], json: JsonValue, inner: Decode): DamlValue {
  const tag = isJsonObject(json) ? member(json, 'tag') : undefined
  const value = isJsonObject(json) ? member(json, 'value') : undefined
  if (tag === undefined || value === undefined) {
    throw new DamlJsonError('invalid-argument', "Variant type json must have 'tag' and 'value' fields.")
  }
  const name = textOf(tag)
  const chosen = constructors.find(([constructorName]) => constructorName === name)
  if (!chosen) throw new DamlJsonError('invalid-argument', `Unexpected variant tag: ${excerpt(tag, shown)}`)
  return { kind: 'variant', id, constructor: chosen[0], value: inner(chosen[1], value) }
}
