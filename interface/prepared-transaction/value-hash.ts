import type { DamlIdentifier, DamlValue } from '../daml-value.js'
import { bool, byte, contractId, identifier, int32, int64, optional, repeated, text } from './hash-primitives.js'

/** The first byte distinguishes types. */
const tags: Readonly<Record<DamlValue['kind'], number>> = {
  unit: 0,
  bool: 1,
  int64: 2,
  numeric: 3,
  timestamp: 4,
  date: 5,
  party: 6,
  text: 7,
  contractId: 8,
  optional: 9,
  list: 10,
  textMap: 11,
  record: 12,
  variant: 13,
  enum: 14,
  genMap: 15,
}

/** Maps in the given order. Throws `TransactionHashError`. */
export const encodeValue = (value: DamlValue): Buffer => Buffer.concat([byte(tags[value.kind]), content(value)])

function content(value: DamlValue): Buffer {
  switch (value.kind) {
    case 'unit':
      return Buffer.alloc(0)
    case 'bool':
      return bool(value.value)
    case 'int64':
    case 'timestamp':
      return int64(value.value)
    case 'date':
      return int32(value.value)
    case 'numeric':
    case 'party':
    case 'text':
      return text(value.value)
    case 'contractId':
      return contractId(value.value)
    case 'optional':
      return optional(value.value, encodeValue)
    case 'list':
      return repeated(value.items, encodeValue)
    case 'textMap':
      return repeated(value.entries, ([key, item]) => Buffer.concat([text(key), encodeValue(item)]))
    case 'genMap':
      return repeated(value.entries, ([key, item]) => Buffer.concat([encodeValue(key), encodeValue(item)]))
    case 'record':
      return Buffer.concat([
        typeId(value.id),
        repeated(value.fields, ([label, item]) =>
          Buffer.concat([optional(label || undefined, text), encodeValue(item)]),
        ),
      ])
    case 'variant':
      return Buffer.concat([typeId(value.id), text(value.constructor), encodeValue(value.value)])
    case 'enum':
      return Buffer.concat([typeId(value.id), text(value.constructor)])
  }
}

/** Empty if absent. */
const typeId = (id: DamlIdentifier): Buffer =>
  optional(id.packageId || id.module || id.entity ? id : undefined, identifier)
