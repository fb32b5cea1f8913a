import { compareText } from '../../../daml/machine/compare.js'
import type { DamlType } from '../../../daml/schema/schema.js'
import type { DamlValue } from '../../../interface/daml-value.js'
import type { JsonValue } from '../../../lib/json/json.js'
import { decodeDaml } from '../../../simulator/json/daml-decode.js'
import { encodeDaml } from '../../../simulator/json/daml-encode.js'
import fc from '../records/properties.js'

const distinct = <K>(entries: [K, DamlValue][], print: (key: K) => string): [K, DamlValue][] => [
  ...new Map(entries.map((entry) => [print(entry[0]), entry])).values(),
]

export function anyValue(type: DamlType): fc.Arbitrary<DamlValue> {
  switch (type.type) {
    case 'unit':
      return fc.constant<DamlValue>({ kind: 'unit' })
    case 'bool':
      return fc.boolean().map((value) => ({ kind: 'bool', value }))
    case 'int64':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => ({ kind: 'int64', value }))
    case 'numeric':
      return fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }).map((units) => {
        const digits = String(units < 0n ? -units : units).padStart(type.scale + 1, '0')
        const point = digits.length - type.scale
        return { kind: 'numeric', value: `${units < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}` }
      })
    case 'text':
      return fc
        .string({ unit: 'grapheme' })
        .filter((value) => !value.includes('\0'))
        .map((value) => ({ kind: 'text', value }))
    case 'party':
      return fc.stringMatching(/^[A-Za-z0-9:\-_ ]{1,255}$/).map((value) => ({ kind: 'party', value }))
    case 'contractId':
      return fc.stringMatching(/^00[0-9a-f]{64}([0-9a-f]{2}){1,94}$/).map((value) => ({ kind: 'contractId', value }))
    case 'date':
      return fc.integer({ min: -719_162, max: 2_932_896 }).map((value) => ({ kind: 'date', value }))
    case 'timestamp':
      return fc
        .bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n })
        .map((value) => ({ kind: 'timestamp', value }))
    case 'optional':
      return fc.option(anyValue(type.of), { nil: undefined }).map((value) => ({ kind: 'optional', value }))
    case 'list':
      return fc.array(anyValue(type.of)).map((items) => ({ kind: 'list', items }))
    case 'textMap':
      return fc.array(fc.tuple(fc.string(), anyValue(type.of))).map((entries) => ({
        kind: 'textMap',
        entries: distinct(
          entries.filter(([key]) => !key.includes('\0')),
          (key) => key,
        ).sort(([a], [b]) => compareText(a, b)),
      }))
    case 'genMap':
      // Decoding sorts the entries.
      return fc.array(fc.tuple(anyValue(type.key), anyValue(type.of))).map((entries) => {
        const json = entries.map(([key, item]): JsonValue => [encodeDaml(type.key, key), encodeDaml(type.of, item)])
        return decodeDaml(type, json)
      })
    case 'record':
      return fc
        .tuple(...type.fields.map(([label, of]) => anyValue(of).map((value): [string, DamlValue] => [label, value])))
        .map((fields) => ({ kind: 'record', id: type.id, fields }))
    case 'variant':
      return fc.oneof(
        ...type.constructors.map(([name, of]) =>
          anyValue(of).map((value): DamlValue => ({ kind: 'variant', id: type.id, constructor: name, value })),
        ),
      )
    case 'enum':
      return fc.constantFrom(...type.constructors).map((name) => ({ kind: 'enum', id: type.id, constructor: name }))
  }
}
