import { type DamlIdentifier, type DamlValue, printIdentifier } from '../../interface/daml-value.js'
import { partsOf } from '../../model/daml-parts.js'
import type { DamlType } from '../../model/description.js'

/** Whether the value is one of the type, in full: every field there, under its name and in its place. */
export function fits(type: DamlType, value: DamlValue): boolean {
  if (type.type !== value.kind || !sameShape(type, value)) return false
  return partsOf(type, value).every(([of, part]) => fits(of, part))
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
    default:
      return true
  }
}

const isNamed = (expected: DamlIdentifier, given: DamlIdentifier): boolean =>
  printIdentifier(expected) === printIdentifier(given)
