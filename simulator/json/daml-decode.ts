import { compareText } from '../../daml/machine/compare.js'
import { compareDaml } from '../../daml/schema/order.js'
import type { DamlType, Field } from '../../daml/schema/schema.js'
import type { DamlIdentifier, DamlRecord, DamlValue } from '../../interface/daml-value.js'
import { excerpt, isJsonObject, JsonNumber, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Behaviour } from '../base/behaviour.js'
import { tooDeep } from './daml-check.js'
import { parseInt64, printDouble, readNumeric } from './daml-number.js'
import { parseDate, parseTimestamp } from './times.js'

/**
 * The reference 3.5.10 answers `wrong-kind`, `unparsable` and `missing-element` with 500 LEDGER_API_INTERNAL_ERROR,
 * `invalid-argument` with 400 INVALID_ARGUMENT, `missing-fields` and `too-deep` with 400 COMMAND_PREPROCESSING_FAILED.
 */
type DamlJsonErrorKind =
  | 'wrong-kind'
  | 'unparsable'
  | 'missing-element'
  | 'invalid-argument'
  | 'missing-fields'
  | 'too-deep'

/** The message is that of the reference. */
export class DamlJsonError extends Error {
  override readonly name = 'DamlJsonError'
  readonly kind: DamlJsonErrorKind

  constructor(kind: DamlJsonErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/**
 * As the reference 3.5.10. Throws `DamlJsonError`. `checkDaml` checks ranges and grammars; an invalid Numeric stays as
 * sent.
 */
export function decodeDaml(type: DamlType, json: JsonValue, has: Behaviour['has'] = byText, depth = 0): DamlValue {
  // The reference crashes on much deeper values.
  if (depth > limitedDepth && has('json-depth-limited'))
    throw new DamlJsonError('invalid-argument', `JSON nesting exceeds the maximum allowed depth of ${limitedDepth}`)
  if (depth > deepestJson) throw new DamlJsonError('too-deep', tooDeep)
  const inner: Decode = (of, part) => decodeDaml(of, part, has, depth + 1)
  switch (type.type) {
    case 'unit':
      return { kind: 'unit' }
    case 'bool':
      if (typeof json !== 'boolean') throw wrongKind('Bool', json)
      return { kind: 'bool', value: json }
    case 'int64':
      return { kind: 'int64', value: int64(json, has) }
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

const deepestJson = 500
/** Of the reference 3.6. */
const limitedDepth = 110

const byText: Behaviour['has'] = () => false

type Decode = (type: DamlType, json: JsonValue) => DamlValue

/** Characters. */
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

function int64(json: JsonValue, has: Behaviour['has']): bigint {
  const text = has('integers-as-json-numbers') ? numberText(json) : textOf(json)
  const value = parseInt64(text)
  if (value === undefined) throw new DamlJsonError('invalid-argument', `For input string: ${excerpt(text, shown)}`)
  return value
}

/** As the reference 3.4. */
function numberText(json: JsonValue): string {
  if (typeof json === 'number') return String(json)
  if (json instanceof JsonNumber) return json.text
  if (json === null) throw new DamlJsonError('invalid-argument', 'null is not a valid Int64 value')
  return textOf(json)
}

/** The reference converts numbers to double. */
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

/** Nested Optionals are arrays; the reference ignores elements after the first. */
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

/** The reference reads the key first. */
function elementOf(pair: readonly JsonValue[], index: number): JsonValue {
  const element = pair[index]
  if (element !== undefined) return element
  throw new DamlJsonError('missing-element', `${index} is out of bounds (min 0, max ${pair.length - 1})`)
}

/** The last of equal keys wins. */
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
  // The reference decodes the last field first.
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
