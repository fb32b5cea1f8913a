import type { DamlIdentifier, DamlValue } from '../../interface/daml-value.js'

/** Types can be recursive: parts are resolved on access, so never print or compare a whole type. */
export type DamlType =
  | { type: 'unit' | 'bool' | 'int64' | 'text' | 'party' | 'date' | 'timestamp' }
  | { type: 'numeric'; scale: number }
  | { type: 'contractId' }
  | { type: 'optional' | 'list' | 'textMap'; of: DamlType }
  | { type: 'genMap'; key: DamlType; of: DamlType }
  | { type: 'record'; id: DamlIdentifier; readonly fields: Field[] }
  | { type: 'variant'; id: DamlIdentifier; readonly constructors: Field[] }
  | { type: 'enum'; id: DamlIdentifier; constructors: string[] }

export type RecordType = Extract<DamlType, { type: 'record' }>
export type Field = [label: string, type: DamlType]

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
