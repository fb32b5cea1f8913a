/** Between values as the machine holds them and values as ledgers store them. */
import type { DamlValue } from '../../interface/daml-value.js'
import { illTyped } from '../machine/failures.js'
import { parseNumeric, printNumeric } from '../machine/numeric.js'
import type { Program } from '../machine/program.js'
import {
  EnumValue,
  itemsOf,
  listOf,
  MapValue,
  NumericValue,
  none,
  RecordValue,
  SomeValue,
  unit,
  type Value,
  VariantValue,
} from '../machine/values.js'
import type { DamlType, Field } from './daml-type.js'

/** How deep values may be nested; seen of the reference participant 3.5.10. */
const deepestValue = 100

/** The value is nested more than `deepestValue` deep. */
export class NestingError extends Error {
  override readonly name = 'NestingError'
}

/** A value as it is stored. Throws `NestingError`; `spend` counts its parts. */
export function exportValue(value: Value, type: DamlType, spend: (steps: number) => void, depth = 0): DamlValue {
  spend(1)
  const inner = (part: Value | undefined, of: DamlType): DamlValue =>
    exportValue(part ?? illTyped('a value lacks a part'), of, spend, depth + 1)
  switch (type.type) {
    case 'bool':
      if (typeof value === 'boolean') return { kind: 'bool', value }
      break
    case 'int64':
    case 'timestamp':
      if (typeof value === 'bigint') return { kind: type.type, value }
      break
    case 'text':
    case 'party':
    case 'contractId':
      if (typeof value === 'string') return { kind: type.type, value }
      break
    case 'date':
      if (typeof value === 'number') return { kind: 'date', value }
      break
    case 'unit':
      if (value === unit) return { kind: 'unit' }
      break
    case 'numeric':
      if (value instanceof NumericValue) return { kind: 'numeric', value: printNumeric(value) }
      break
    default: {
      if (depth >= deepestValue) throw new NestingError()
      const found = exportComposite(value, type, inner)
      if (found) return found
    }
  }
  return illTyped(`a value is no ${type.type}`)
}

type Inner = (part: Value | undefined, of: DamlType) => DamlValue
type CompositeType = Extract<
  DamlType,
  { type: 'optional' | 'list' | 'textMap' | 'genMap' | 'record' | 'variant' | 'enum' }
>

function exportComposite(value: Value, type: CompositeType, inner: Inner): DamlValue | undefined {
  if (typeof value !== 'object') return undefined
  switch (type.type) {
    case 'optional':
      if (value.kind === 'none') return { kind: 'optional', value: undefined }
      return value.kind === 'some' ? { kind: 'optional', value: inner(value.value, type.of) } : undefined
    case 'list':
      if (value.kind !== 'nil' && value.kind !== 'cons') return undefined
      return { kind: 'list', items: Array.from(itemsOf(value), (item) => inner(item, type.of)) }
    case 'textMap':
      if (value.kind !== 'map') return undefined
      return {
        kind: 'textMap',
        entries: value.keys.map((key, index) => [String(key), inner(value.values[index], type.of)]),
      }
    case 'genMap':
      if (value.kind !== 'map') return undefined
      return {
        kind: 'genMap',
        entries: value.keys.map((key, index) => [inner(key, type.key), inner(value.values[index], type.of)]),
      }
    case 'record':
      if (value.kind !== 'record') return undefined
      return {
        kind: 'record',
        id: type.id,
        fields: type.fields.map(([label, of], index) => [label, inner(value.fields[index], of)]),
      }
    case 'variant': {
      if (value.kind !== 'variant') return undefined
      const chosen = type.constructors.find(([name]) => name === value.constructorName)
      if (!chosen) return undefined
      return { kind: 'variant', id: type.id, constructor: chosen[0], value: inner(value.value, chosen[1]) }
    }
    case 'enum':
      return value.kind === 'enum' ? { kind: 'enum', id: type.id, constructor: value.constructorName } : undefined
  }
}

/** The value cannot be one of the type, in whatever version of its package it was made. */
export class TranslationError extends Error {
  override readonly name = 'TranslationError'
}

/**
 * A stored value as the machine holds it. It may come from another version of its type: Optionals that the type adds are
 * absent, those that it lacks have to be. Throws `TranslationError`.
 */
export function importValue(value: DamlValue, type: DamlType, program: Program): Value {
  const inner = (part: DamlValue, of: DamlType): Value => importValue(part, of, program)
  switch (value.kind) {
    case 'unit':
      if (type.type === 'unit') return unit
      break
    case 'bool':
    case 'int64':
    case 'text':
    case 'party':
    case 'contractId':
    case 'date':
    case 'timestamp':
      if (type.type === value.kind) return value.value
      break
    case 'numeric': {
      const found = parseNumeric(value.value)
      if (type.type === 'numeric' && type.scale === found.scale) return found
      break
    }
    case 'optional':
      if (type.type !== 'optional') break
      return value.value ? new SomeValue(inner(value.value, type.of)) : none
    case 'list':
      if (type.type !== 'list') break
      return listOf(value.items.map((item) => inner(item, type.of)))
    case 'textMap':
      if (type.type !== 'textMap') break
      return new MapValue(
        true,
        value.entries.map(([key]) => key),
        value.entries.map(([, item]) => inner(item, type.of)),
      )
    case 'genMap':
      if (type.type !== 'genMap') break
      return new MapValue(
        false,
        value.entries.map(([key]) => inner(key, type.key)),
        value.entries.map(([, item]) => inner(item, type.of)),
      )
    case 'record':
      if (type.type !== 'record') break
      return new RecordValue(program.layout(type.id), importFields(value.fields, type.fields, inner))
    case 'variant': {
      const chosen = type.type === 'variant' && type.constructors.find(([name]) => name === value.constructor)
      if (type.type !== 'variant' || !chosen) break
      const rank = program.rank(type.id, value.constructor)
      return new VariantValue(type.id, value.constructor, rank, inner(value.value, chosen[1]))
    }
    case 'enum':
      if (type.type !== 'enum' || !type.constructors.includes(value.constructor)) break
      return new EnumValue(type.id, value.constructor, program.rank(type.id, value.constructor))
  }
  throw new TranslationError(`a ${value.kind} is no ${type.type}`)
}

/** Versions of a record agree by position. */
function importFields(
  given: readonly [label: string, value: DamlValue][],
  fields: readonly Field[],
  inner: (part: DamlValue, of: DamlType) => Value,
): Value[] {
  for (const [label, value] of given.slice(fields.length)) {
    if (value.kind !== 'optional' || value.value) throw new TranslationError(`field ${label} would be lost`)
  }
  return fields.map(([label, type], index) => {
    const found = given[index]
    if (found) return inner(found[1], type)
    if (type.type === 'optional') return none
    throw new TranslationError(`there is no value for field ${label}`)
  })
}
