/** Absent type ids become three empty parts, absent labels empty strings, and vice versa. */

import {
  always,
  type BytesKind,
  bool,
  int32,
  type Kind,
  lazy,
  mapKind,
  message,
  one,
  oneOf,
  optional,
  repeated,
  sfixed64,
  sint64,
  string,
} from '../../lib/protobuf/protobuf-message.js'
import type { DamlIdentifier, DamlRecord, DamlValue } from '../daml-value.js'

type Value<K extends DamlValue['kind']> = Extract<DamlValue, { kind: K }>

export const identifier = message<DamlIdentifier>({
  packageId: one(1, string),
  module: one(2, string),
  entity: one(3, string),
})

const nested = lazy(() => value)

const scalar = <K, T>(kind: K, of: Kind<T>): Kind<{ kind: K; value: T }> =>
  mapKind(
    of,
    (content) => ({ kind, value: content }),
    (whole) => whole.value,
  )

const entry = <K>(key: Kind<K>): Kind<[K, DamlValue]> =>
  mapKind(
    message<{ key: K; item: DamlValue }>({ key: one(1, key), item: one(2, nested) }),
    ({ key, item }) => [key, item],
    ([key, item]) => ({ key, item }),
  )

/** Throws `MissingPartError`. */
export const value: BytesKind<DamlValue> = oneOf<DamlValue>('Daml value', {
  unit: { number: 1, kind: message<Value<'unit'>>({ kind: always('unit') }) },
  bool: { number: 2, kind: scalar('bool', bool) },
  int64: { number: 3, kind: scalar('int64', sint64) },
  date: { number: 4, kind: scalar('date', int32) },
  timestamp: { number: 5, kind: scalar('timestamp', sfixed64) },
  numeric: { number: 6, kind: scalar('numeric', string) },
  party: { number: 7, kind: scalar('party', string) },
  text: { number: 8, kind: scalar('text', string) },
  contractId: { number: 9, kind: scalar('contractId', string) },
  optional: {
    number: 10,
    kind: message<Value<'optional'>>({ kind: always('optional'), value: optional(1, nested) }),
  },
  list: {
    number: 11,
    kind: message<Value<'list'>>({ kind: always('list'), items: repeated(1, nested) }),
  },
  textMap: {
    number: 12,
    kind: message<Value<'textMap'>>({ kind: always('textMap'), entries: repeated(1, entry(string)) }),
  },
  genMap: {
    number: 13,
    kind: message<Value<'genMap'>>({ kind: always('genMap'), entries: repeated(1, entry(nested)) }),
  },
  record: {
    number: 14,
    kind: message<DamlRecord>({
      kind: always('record'),
      id: one(1, identifier),
      fields: repeated(2, entry(string)),
    }),
  },
  variant: {
    number: 15,
    kind: message<Value<'variant'>>({
      kind: always('variant'),
      id: one(1, identifier),
      constructor: one(2, string),
      value: one(3, nested),
    }),
  },
  enum: {
    number: 16,
    kind: message<Value<'enum'>>({ kind: always('enum'), id: one(1, identifier), constructor: one(2, string) }),
  },
})
