import type { DamlType, Field } from '../../daml/schema/schema.js'
import type { DamlRecord, DamlValue } from '../../interface/daml-value.js'
import type { JsonValue } from '../../lib/json/json.js'
import { printDate, printTimestamp } from './times.js'

/**
 * As the reference 3.5.10. Throws for a wrong type. An older record may lack Optionals.
 * @example encodeDaml({ type: 'int64' }, { kind: 'int64', value: 7n }) // '7'
 */
export function encodeDaml(type: DamlType, value: DamlValue): JsonValue {
  switch (value.kind) {
    case 'unit':
      return {}
    case 'bool':
    case 'numeric':
    case 'text':
    case 'party':
    case 'contractId':
      return value.value
    case 'int64':
      return String(value.value)
    case 'date':
      return printDate(value.value)
    case 'timestamp':
      return printTimestamp(value.value)
    case 'enum':
      return value.constructor
    case 'optional':
      if (type.type === 'optional') return optional(type.of, value.value)
      break
    case 'list':
      if (type.type === 'list') return value.items.map((item) => encodeDaml(type.of, item))
      break
    case 'textMap':
      if (type.type === 'textMap') {
        return Object.fromEntries(value.entries.map(([key, item]) => [key, encodeDaml(type.of, item)]))
      }
      break
    case 'genMap':
      if (type.type === 'genMap') {
        return value.entries.map(([key, item]) => [encodeDaml(type.key, key), encodeDaml(type.of, item)])
      }
      break
    case 'record':
      if (type.type === 'record') return record(type.fields, value)
      break
    case 'variant': {
      const constructors = type.type === 'variant' ? type.constructors : []
      const chosen = constructors.find(([name]) => name === value.constructor)
      if (chosen) return { tag: value.constructor, value: encodeDaml(chosen[1], value.value) }
      break
    }
  }
  throw new Error(`a Daml ${value.kind} is no value of the type ${type.type}`)
}

/** Nested Optionals are arrays. */
function optional(of: DamlType, value: DamlValue | undefined): JsonValue {
  if (of.type === 'optional') return nestedOptional(of, value)
  return value ? encodeDaml(of, value) : null
}

function nestedOptional(of: DamlType, value: DamlValue | undefined): JsonValue {
  if (!value) return []
  if (of.type === 'optional' && value.kind === 'optional') return [nestedOptional(of.of, value.value)]
  return [encodeDaml(of, value)]
}

/** Without trailing nulls. */
function record(fields: Field[], value: DamlRecord): JsonValue {
  const values = new Map(value.fields)
  const absent: DamlValue = { kind: 'optional', value: undefined }
  const members = fields.map(([label, type]): [string, JsonValue] => [
    label,
    encodeDaml(type, values.get(label) ?? absent),
  ])
  const last = members.findLastIndex(([, json]) => json !== null)
  return Object.fromEntries(members.slice(0, last + 1))
}
