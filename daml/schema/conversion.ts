/** Converts between values of the machine and stored values. */
import type { DamlValue } from '../../interface/daml-value.js'
import type { Spend } from '../machine/compare.js'
import { illTyped } from '../machine/failures.js'
import { parseNumeric, printNumeric } from '../machine/numeric.js'
import type { Program } from '../machine/program.js'
import { itemsOf, type ListValue, listOf, type MapValue, none, unit, type Value } from '../machine/values.js'
import type { DamlType, Field } from './schema.js'

/** Observed on Canton 3.5.10. */
const deepestValue = 100

/** The value is nested deeper than `deepestValue`. */
export class NestingError extends Error {
  override readonly name = 'NestingError'
}

/** Throws `NestingError`; `spend` counts the parts. */
export function exportValue(value: Value, type: DamlType, spend: Spend, depth = 0): DamlValue {
  spend(1)
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
      if (typeof value === 'object' && value.kind === 'numeric') return { kind: 'numeric', value: printNumeric(value) }
      break
    default: {
      if (depth >= deepestValue) throw new NestingError()
      const found = exportComposite(value, type, spend, depth + 1)
      if (found) return found
    }
  }
  return illTyped(`the value is not of type ${type.type}`)
}

type CompositeType = Extract<
  DamlType,
  { type: 'optional' | 'list' | 'textMap' | 'genMap' | 'record' | 'variant' | 'enum' }
>

function exportComposite(value: Value, type: CompositeType, spend: Spend, depth: number): DamlValue | undefined {
  if (typeof value !== 'object') return undefined
  switch (type.type) {
    case 'optional':
      if (value.kind === 'none') return { kind: 'optional', value: undefined }
      return value.kind === 'some'
        ? { kind: 'optional', value: exportValue(value.value, type.of, spend, depth) }
        : undefined
    case 'list':
      return value.kind === 'nil' || value.kind === 'cons' ? exportList(value, type.of, spend, depth) : undefined
    case 'textMap':
    case 'genMap':
      return value.kind === 'map' ? exportMap(value, type, spend, depth) : undefined
    case 'record':
      if (value.kind !== 'record') return undefined
      return { kind: 'record', id: type.id, fields: exportFields(value.fields, type.fields, spend, depth) }
    case 'variant': {
      if (value.kind !== 'variant') return undefined
      const of = constructorIn(type.constructors, value.constructorName)
      if (!of) return undefined
      const inner = exportValue(value.value, of, spend, depth)
      return { kind: 'variant', id: type.id, constructor: value.constructorName, value: inner }
    }
    case 'enum':
      return value.kind === 'enum' ? { kind: 'enum', id: type.id, constructor: value.constructorName } : undefined
  }
}

const exportPart = (part: Value | undefined, of: DamlType, spend: Spend, depth: number): DamlValue =>
  exportValue(part ?? illTyped('a value lacks a part'), of, spend, depth)

const exportList = (list: ListValue, of: DamlType, spend: Spend, depth: number): DamlValue => ({
  kind: 'list',
  items: Array.from(itemsOf(list), (item) => exportValue(item, of, spend, depth)),
})

function exportMap(
  { keys, values }: MapValue,
  type: Extract<DamlType, { of: DamlType }>,
  spend: Spend,
  depth: number,
): DamlValue {
  const valueAt = (index: number): DamlValue => exportPart(values[index], type.of, spend, depth)
  if (type.type !== 'genMap') {
    return { kind: 'textMap', entries: keys.map((key, index) => [String(key), valueAt(index)]) }
  }
  return {
    kind: 'genMap',
    entries: keys.map((key, index) => [exportValue(key, type.key, spend, depth), valueAt(index)]),
  }
}

const exportFields = (
  values: readonly Value[],
  fields: readonly Field[],
  spend: Spend,
  depth: number,
): [string, DamlValue][] => fields.map(([label, of], index) => [label, exportPart(values[index], of, spend, depth)])

const constructorIn = (constructors: readonly Field[], name: string): DamlType | undefined =>
  constructors.find(([known]) => known === name)?.[1]

/** No version of the type has the value. */
export class TranslationError extends Error {
  override readonly name = 'TranslationError'
}

/**
 * The value can come from another version: added Optionals are absent, removed ones must be None. Throws
 * `TranslationError`.
 */
export function importValue(value: DamlValue, type: DamlType, program: Program): Value {
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
    default: {
      const found = importComposite(value, type, program)
      if (found !== undefined) return found
    }
  }
  throw new TranslationError(`the ${value.kind} is not of type ${type.type}`)
}

type CompositeValue = Extract<
  DamlValue,
  { kind: 'optional' | 'list' | 'textMap' | 'genMap' | 'record' | 'variant' | 'enum' }
>

function importComposite(value: CompositeValue, type: DamlType, program: Program): Value | undefined {
  switch (value.kind) {
    case 'optional':
      if (type.type !== 'optional') return undefined
      return value.value ? { kind: 'some', value: importValue(value.value, type.of, program) } : none
    case 'list':
      return type.type === 'list' ? listOf(importAll(value.items, type.of, program)) : undefined
    case 'textMap': {
      if (type.type !== 'textMap') return undefined
      const [keys, items] = unzipped(value.entries)
      return { kind: 'map', textual: true, keys, values: importAll(items, type.of, program) }
    }
    case 'genMap': {
      if (type.type !== 'genMap') return undefined
      const [keys, items] = unzipped(value.entries)
      return {
        kind: 'map',
        textual: false,
        keys: importAll(keys, type.key, program),
        values: importAll(items, type.of, program),
      }
    }
    case 'record':
      if (type.type !== 'record') return undefined
      return {
        kind: 'record',
        layout: program.layout(type.id),
        fields: importFields(value.fields, type.fields, program),
      }
    case 'variant': {
      const of = type.type === 'variant' ? constructorIn(type.constructors, value.constructor) : undefined
      if (type.type !== 'variant' || !of) return undefined
      const rank = program.rank(type.id, value.constructor)
      return {
        kind: 'variant',
        id: type.id,
        constructorName: value.constructor,
        rank,
        value: importValue(value.value, of, program),
      }
    }
    case 'enum':
      if (type.type !== 'enum' || !type.constructors.includes(value.constructor)) return undefined
      return {
        kind: 'enum',
        id: type.id,
        constructorName: value.constructor,
        rank: program.rank(type.id, value.constructor),
      }
  }
}

const importAll = (items: readonly DamlValue[], of: DamlType, program: Program): Value[] =>
  items.map((item) => importValue(item, of, program))

const unzipped = <Key>(entries: readonly [Key, DamlValue][]): [Key[], DamlValue[]] => [
  entries.map(([key]) => key),
  entries.map(([, item]) => item),
]

/** Versions of a record agree by position. */
function importFields(
  given: readonly [label: string, value: DamlValue][],
  fields: readonly Field[],
  program: Program,
): Value[] {
  for (let index = fields.length; index < given.length; index += 1) {
    const [label, value] = given[index] ?? []
    if (value && (value.kind !== 'optional' || value.value)) throw new TranslationError(`field ${label} would be lost`)
  }
  return fields.map(([label, type], index) => {
    const found = given[index]
    if (found) return importValue(found[1], type, program)
    if (type.type === 'optional') return none
    throw new TranslationError(`field ${label} has no value`)
  })
}
