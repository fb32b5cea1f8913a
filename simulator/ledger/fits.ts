import type { DamlType } from '../../daml/schema/daml-type.js'
import { compareDaml, compareText } from '../../daml/schema/order.js'
import { partsOf } from '../../daml/schema/parts.js'
import { type DamlIdentifier, type DamlValue, printIdentifier } from '../../interface/daml-value.js'
import { checkDaml } from '../json/daml-check.js'
import { readNumeric } from '../json/daml-number.js'

/**
 * Whether the value is one of the type in the format that a participant gives to it: every field there, under its name and in its
 * place, scalars in their range, Numerics padded, maps in order and without a key twice.
 */
export const fits = (type: DamlType, value: DamlValue): boolean =>
  hasShape(type, value) && checkDaml(type, value).length === 0

function hasShape(type: DamlType, value: DamlValue): boolean {
  if (type.type !== value.kind || !sameShape(type, value)) return false
  return partsOf(type, value).every(([of, part]) => hasShape(of, part))
}

function sameShape(type: DamlType, value: DamlValue): boolean {
  switch (value.kind) {
    case 'record': {
      if (type.type !== 'record' || !isNamed(type.id, value.id)) return false
      return value.fields.map(([label]) => label).join() === type.fields.map(([label]) => label).join()
    }
    case 'variant':
      if (type.type !== 'variant' || !isNamed(type.id, value.id)) return false
      return type.constructors.some(([name]) => name === value.constructor)
    case 'enum':
      return type.type === 'enum' && isNamed(type.id, value.id) && type.constructors.includes(value.constructor)
    case 'numeric':
      return type.type === 'numeric' && readNumeric(value.value, type.scale).value === value.value
    case 'textMap':
      return ascends(value.entries, compareText)
    case 'genMap':
      return type.type === 'genMap' && ascends(value.entries, (a, b) => compareDaml(type.key, a, b))
    default:
      return true
  }
}

const ascends = <K>(entries: readonly [K, DamlValue][], compare: (a: K, b: K) => number): boolean =>
  entries.every(([key], index) => {
    const next = entries[index + 1]
    return !next || compare(key, next[0]) < 0
  })

const isNamed = (expected: DamlIdentifier, given: DamlIdentifier): boolean =>
  printIdentifier(expected) === printIdentifier(given)
