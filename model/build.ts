/** Shorthands in which packages are described, so that a template reads like its table. */
import type { DamlIdentifier, DamlRecord, DamlValue } from '../interface/daml-value.js'
import type { Choice, ChoiceContext, DamlType, InterfaceInstance, RecordType, Template } from './description.js'

export const unit: DamlType = { type: 'unit' }
export const bool: DamlType = { type: 'bool' }
export const int64: DamlType = { type: 'int64' }
export const text: DamlType = { type: 'text' }
export const party: DamlType = { type: 'party' }
export const date: DamlType = { type: 'date' }
export const timestamp: DamlType = { type: 'timestamp' }
export const contractId: DamlType = { type: 'contractId' }
export const numeric = (scale: number): DamlType => ({ type: 'numeric', scale })
export const optional = (of: DamlType): DamlType => ({ type: 'optional', of })
export const list = (of: DamlType): DamlType => ({ type: 'list', of })
export const textMap = (of: DamlType): DamlType => ({ type: 'textMap', of })
export const genMap = (key: DamlType, of: DamlType): DamlType => ({ type: 'genMap', key, of })

export const none: DamlValue = { kind: 'optional', value: undefined }
export const some = (value: DamlValue): DamlValue => ({ kind: 'optional', value })
export const textValue = (value: string): DamlValue => ({ kind: 'text', value })
export const intValue = (value: bigint): DamlValue => ({ kind: 'int64', value })
export const contractIdValue = (value: string): DamlValue => ({ kind: 'contractId', value })
export const partyList = (parties: readonly string[]): DamlValue => ({
  kind: 'list',
  items: parties.map((value) => ({ kind: 'party', value })),
})

/** Fields or constructors with their types, in order. */
export type Fields = Record<string, DamlType>

/** A record of the type with the given values; throws if a field is missing. */
export function recordValue(type: RecordType, values: Record<string, DamlValue>): DamlRecord {
  const given = (label: string): DamlValue => {
    const value = values[label]
    if (!value) throw new Error(`no value for field ${label} of ${type.id.entity}`)
    return value
  }
  return { kind: 'record', id: type.id, fields: type.fields.map(([label]) => [label, given(label)]) }
}

/** A copy of the record in which the given fields have other values. */
export function changed(record: DamlRecord, values: Record<string, DamlValue>): DamlRecord {
  return { ...record, fields: record.fields.map(([label, value]) => [label, values[label] ?? value]) }
}

/** The value of a field; throws if the record has no such field. */
export function field(record: DamlRecord, label: string): DamlValue {
  const found = record.fields.find(([name]) => name === label)
  if (!found) throw new Error(`${record.id.entity} has no field ${label}`)
  return found[1]
}

function fieldOf<K extends DamlValue['kind']>(
  record: DamlRecord,
  label: string,
  kind: K,
): Extract<DamlValue, { kind: K }> {
  const value = field(record, label)
  if (value.kind !== kind) throw new Error(`field ${label} of ${record.id.entity} is a ${value.kind}, not a ${kind}`)
  return value as Extract<DamlValue, { kind: K }> // its kind was compared just now
}

export const textIn = (record: DamlRecord, label: string): string => fieldOf(record, label, 'text').value
export const intIn = (record: DamlRecord, label: string): bigint => fieldOf(record, label, 'int64').value
export const contractIdIn = (record: DamlRecord, label: string): string => fieldOf(record, label, 'contractId').value

/** Reads the parties that the named fields hold, in order: a Party is one, a List Party are several. */
export const partiesIn =
  (...labels: string[]) =>
  (record: DamlRecord): string[] =>
    labels.flatMap((label) => {
      const value = field(record, label)
      return value.kind === 'list'
        ? value.items.flatMap((item) => (item.kind === 'party' ? [item.value] : []))
        : [fieldOf(record, label, 'party').value]
    })

/** As `partiesIn`, for the controllers of a choice that names them in its argument. */
export const partiesInArgument =
  (...labels: string[]) =>
  (_contract: DamlRecord, argument: DamlRecord): string[] =>
    partiesIn(...labels)(argument)

const nobody = (): string[] => []

/** Ends the transaction as an exception does that nobody catches: category 9, as seen of a failed `ensure`. */
export function throwException(context: ChoiceContext, exception: string, message: string): never {
  return context.fail({ errorId: `UNHANDLED_EXCEPTION/DA.Exception.${exception}:${exception}`, message, category: 9 })
}

interface ChoiceShape {
  /** True unless said otherwise. */
  consuming?: boolean
  /** Empty unless given. */
  argument?: Fields
  /** Unit unless given. */
  result?: DamlType
}

interface TemplateSketch extends Pick<Template, 'signatories' | 'ensure' | 'key'> {
  fields: Fields
  /** Nobody unless given. */
  observers?: Template['observers']
  /** Besides `Archive`, which every template gets. */
  choices?: Choice[]
  implements?: InterfaceInstance[]
}

/**
 * The definitions of one module: everything made with it has ids of that module.
 * `archive` is the id of the argument of `Archive`; compiled Daml takes it from the standard library.
 */
export function moduleOf(packageId: string, module: string, archive?: DamlIdentifier) {
  const id = (entity: string): DamlIdentifier => ({ packageId, module, entity })
  const record = (entity: string, fields: Fields): RecordType => ({
    type: 'record',
    id: id(entity),
    fields: Object.entries(fields),
  })
  const choiceShape = (name: string, { consuming = true, argument = {}, result = unit }: ChoiceShape) => ({
    name,
    consuming,
    argument: record(name, argument),
    result,
  })
  const archiveShape: Pick<Choice, 'name' | 'consuming' | 'argument' | 'result'> = {
    ...choiceShape('Archive', {}),
    argument: { type: 'record', id: archive ?? id('Archive'), fields: [] },
  }
  return {
    id,
    record,
    choiceShape,
    archiveShape,
    variant: (entity: string, constructors: Fields): DamlType => ({
      type: 'variant',
      id: id(entity),
      constructors: Object.entries(constructors),
    }),
    enumeration: (entity: string, ...constructors: string[]): DamlType => ({
      type: 'enum',
      id: id(entity),
      constructors,
    }),
    choice: (name: string, sketch: ChoiceShape & Pick<Choice, 'controllers' | 'body'>): Choice => ({
      ...choiceShape(name, sketch),
      controllers: sketch.controllers,
      ...(sketch.body && { body: sketch.body }),
    }),
    template: (entity: string, { fields, ...sketch }: TemplateSketch): Template => ({
      observers: nobody,
      implements: [],
      ...sketch,
      id: id(entity),
      argument: record(entity, fields),
      choices: [{ ...archiveShape, controllers: sketch.signatories }, ...(sketch.choices ?? [])],
    }),
  }
}
