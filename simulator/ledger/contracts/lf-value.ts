/**
 * Protobuf form of Daml values in created-event blobs: Daml-LF 2.x field numbers, read from blobs of the reference
 * participant 3.5.10. Labels and type ids are not encoded, so decoding needs the type.
 */

import type { DamlType } from '../../../daml/schema/schema.js'
import type { DamlIdentifier, DamlRecord, DamlValue } from '../../../interface/daml-value.js'
import {
  bytesField,
  fixed64Field,
  ProtobufError,
  readMessage,
  signedField,
  unzigzag,
  varintField,
  type WireField,
} from '../../../lib/protobuf/protobuf.js'

const empty = Buffer.alloc(0)
const scalars = { unit: 1, bool: 2, int64: 3, date: 4, timestamp: 5, numeric: 6, party: 7, text: 8, contractId: 9 }
const numbers = { ...scalars, optional: 10, list: 11, genMap: 12, record: 13, variant: 14, enum: 15, textMap: 16 }

/** The serialization version; the older one cannot contain keys. */
export const lfVersion = (hasKeys: boolean): string => (hasKeys ? '2' : '2.1')

/**
 * As in prepared transactions and in the hash of a contract id.
 * @example encodeLfValue({ kind: 'bool', value: true }).toString('hex') // '1001'
 */
export function encodeLfValue(value: DamlValue): Buffer {
  const number = numbers[value.kind]
  switch (value.kind) {
    case 'unit':
      return bytesField(number, empty)
    case 'bool':
      return varintField(number, value.value ? 1n : 0n)
    case 'int64':
      return signedField(number, value.value)
    case 'date':
      return varintField(number, BigInt.asUintN(64, BigInt(value.value)))
    case 'timestamp':
      return fixed64Field(number, value.value)
    case 'contractId':
      return bytesField(number, Buffer.from(value.value, 'hex'))
    case 'numeric':
    case 'party':
    case 'text':
      return bytesField(number, value.value)
    case 'optional':
      return bytesField(number, value.value ? bytesField(1, encodeLfValue(value.value)) : empty)
    case 'list':
      return bytesField(number, Buffer.concat(value.items.map((item) => bytesField(1, encodeLfValue(item)))))
    case 'textMap':
      return bytesField(number, entries(value.entries.map(([key, item]) => [Buffer.from(key), encodeLfValue(item)])))
    case 'genMap':
      return bytesField(number, entries(value.entries.map(([key, item]) => [encodeLfValue(key), encodeLfValue(item)])))
    case 'record':
      return bytesField(
        number,
        Buffer.concat(
          withoutTrailingNones(value.fields).map(([, item]) => bytesField(1, bytesField(1, encodeLfValue(item)))),
        ),
      )
    case 'variant':
      return bytesField(
        number,
        Buffer.concat([bytesField(1, value.constructor), bytesField(2, encodeLfValue(value.value))]),
      )
    case 'enum':
      return bytesField(number, bytesField(1, value.constructor))
  }
}

/** Serialized records omit trailing Optionals without a value. */
export function withoutTrailingNones(fields: DamlRecord['fields']): DamlRecord['fields'] {
  const last = fields.findLastIndex(([, item]) => item.kind !== 'optional' || item.value !== undefined)
  return fields.slice(0, last + 1)
}

const entries = (pairs: [Buffer, Buffer][]): Buffer =>
  Buffer.concat(pairs.map(([key, item]) => bytesField(1, Buffer.concat([bytesField(1, key), bytesField(2, item)]))))

/** The reference permits 100. */
const deepestValue = 100

/** Throws `ProtobufError` if the bytes contain no value of the type. `depth`: of the values around it. */
export function decodeLfValue(type: DamlType, bytes: Buffer, depth = 0): DamlValue {
  if (depth > deepestValue) throw new ProtobufError('values nested too deep', 0)
  const field = readMessage(bytes).find(({ number }) => number === numbers[type.type])
  if (!field) throw new ProtobufError(`no ${type.type} value`, 0)
  switch (type.type) {
    case 'unit':
      return { kind: 'unit' }
    case 'bool':
      return { kind: 'bool', value: integer(field) !== 0n }
    case 'int64':
      return { kind: 'int64', value: unzigzag(integer(field)) }
    case 'date':
      return { kind: 'date', value: Number(BigInt.asIntN(64, integer(field))) }
    case 'timestamp':
      return { kind: 'timestamp', value: BigInt.asIntN(64, integer(field)) }
    case 'contractId':
      return { kind: 'contractId', value: content(field).toString('hex') }
    case 'numeric':
      return { kind: 'numeric', value: numericText(content(field).toString('utf8')) }
    case 'party':
    case 'text':
      return { kind: type.type, value: content(field).toString('utf8') }
    case 'optional': {
      const inner = repeated(content(field), 1)[0]
      return { kind: 'optional', value: inner && decodeLfValue(type.of, inner, depth + 1) }
    }
    case 'list':
      return { kind: 'list', items: repeated(content(field), 1).map((item) => decodeLfValue(type.of, item, depth + 1)) }
    case 'textMap':
      return {
        kind: 'textMap',
        entries: pairs(field).map(([key, item]) => [key.toString(), decodeLfValue(type.of, item, depth + 1)]),
      }
    case 'genMap':
      return {
        kind: 'genMap',
        entries: pairs(field).map(([key, item]) => [
          decodeLfValue(type.key, key, depth + 1),
          decodeLfValue(type.of, item, depth + 1),
        ]),
      }
    case 'record':
      return record(type, content(field), depth)
    case 'variant': {
      const name = only(content(field), 1).toString()
      const chosen = type.constructors.find(([known]) => known === name)
      if (!chosen) throw new ProtobufError(`unknown constructor ${name}`, 0)
      return {
        kind: 'variant',
        id: type.id,
        constructor: name,
        value: decodeLfValue(chosen[1], only(content(field), 2), depth + 1),
      }
    }
    case 'enum':
      return { kind: 'enum', id: type.id, constructor: only(content(field), 1).toString() }
  }
}

function record(type: { id: DamlIdentifier; fields: [string, DamlType][] }, bytes: Buffer, depth: number): DamlValue {
  const values = repeated(bytes, 1)
  return {
    kind: 'record',
    id: type.id,
    // Records of older package versions lack trailing Optionals.
    fields: type.fields.map(([label, inner], index) => {
      const found = values[index]
      if (found) return [label, decodeLfValue(inner, only(found, 1), depth + 1)]
      if (inner.type === 'optional') return [label, { kind: 'optional', value: undefined }]
      throw new ProtobufError(`field ${label} is missing`, 0)
    }),
  }
}

const integer = (field: WireField): bigint => {
  if (field.wire === 'bytes') throw new ProtobufError('bytes instead of a number', 0)
  return field.value
}
const content = (field: WireField): Buffer => {
  if (field.wire !== 'bytes') throw new ProtobufError('a number instead of bytes', 0)
  return field.value
}
const repeated = (bytes: Buffer, number: number): Buffer[] =>
  readMessage(bytes)
    .filter((field) => field.number === number)
    .map(content)
const only = (bytes: Buffer, number: number): Buffer => {
  const [found] = repeated(bytes, number)
  if (!found) throw new ProtobufError(`field ${number} is missing`, 0)
  return found
}
const pairs = (field: WireField): [Buffer, Buffer][] =>
  repeated(content(field), 1).map((entry) => [only(entry, 1), only(entry, 2)])

/** The reference writes digits, a point and the digits of the scale. */
function numericText(text: string): string {
  if (/^-?\d{1,38}\.\d{0,37}$/.test(text)) return text
  throw new ProtobufError('the text is no Numeric', 0)
}
