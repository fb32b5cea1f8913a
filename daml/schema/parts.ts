import type { DamlValue } from '../../interface/daml-value.js'
import type { DamlType } from './daml-type.js'

type Part = [type: DamlType, value: DamlValue]

/** Direct parts with their types, keys of maps included. */
export function partsOf(type: DamlType, value: DamlValue): Part[] {
  if (type.type === 'optional' && value.kind === 'optional') return value.value ? [[type.of, value.value]] : []
  if (type.type === 'list' && value.kind === 'list') return value.items.map((item) => [type.of, item])
  if (type.type === 'textMap' && value.kind === 'textMap') {
    return value.entries.flatMap(([key, item]): Part[] => [
      [{ type: 'text' }, { kind: 'text', value: key }],
      [type.of, item],
    ])
  }
  if (type.type === 'genMap' && value.kind === 'genMap') {
    return value.entries.flatMap(([key, item]): Part[] => [
      [type.key, key],
      [type.of, item],
    ])
  }
  if (type.type === 'record' && value.kind === 'record') {
    const values = new Map(value.fields)
    return type.fields.flatMap(([label, of]): Part[] => {
      const item = values.get(label)
      return item ? [[of, item]] : []
    })
  }
  if (type.type === 'variant' && value.kind === 'variant') {
    const chosen = type.constructors.find(([name]) => name === value.constructor)
    return chosen ? [[chosen[1], value.value]] : []
  }
  return []
}
