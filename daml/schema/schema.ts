import type { DamlIdentifier, DamlValue } from '../../interface/daml-value.js'
import { once } from '../../lib/made-once.js'
import type { Choice, DataType, Interface, Template } from '../language/package.js'
import { type FieldType, printType, type Type } from '../language/types.js'
import { illTyped } from '../machine/failures.js'
import type { Program } from '../machine/program.js'
import { bind, substitute } from './substitute.js'

export interface ChoiceSchema {
  name: string
  consuming: boolean
  argument: RecordType
  result: DamlType
}

export interface TemplateSchema {
  id: DamlIdentifier
  argument: RecordType
  /** Undefined without keys. */
  key: DamlType | undefined
  choices: ChoiceSchema[]
  implements: InterfaceSchema[]
}

export interface InterfaceSchema {
  id: DamlIdentifier
  view: RecordType
  choices: ChoiceSchema[]
}

/** Methods throw `EvaluationFailure` for an undefined name. */
export class Types {
  readonly #program: Program
  readonly #known = new Map<string, DamlType>()
  /** By identity: printing a type is slower. */
  readonly #found = new WeakMap<Type, DamlType>()
  readonly #records = new WeakMap<DamlIdentifier, RecordType>()
  readonly #templates = new Map<Template, TemplateSchema>()
  readonly #interfaces = new Map<Interface, InterfaceSchema>()

  constructor(program: Program) {
    this.#program = program
  }

  /** Without variables. Throws `EvaluationFailure` if values cannot be stored. */
  of(type: Type): DamlType {
    const found = this.#found.get(type) ?? this.#named(type)
    this.#found.set(type, found)
    return found
  }

  #named(type: Type): DamlType {
    const key = printType(type)
    const known = this.#known.get(key)
    if (known) return known
    const made = this.#make(type)
    this.#known.set(key, made)
    return made
  }

  /** A template or a record without parameters. */
  record(id: DamlIdentifier): RecordType {
    const known = this.#records.get(id)
    if (known) return known
    const made = this.recordOf({ kind: 'con', id, args: [] })
    this.#records.set(id, made)
    return made
  }

  recordOf(type: Type): RecordType {
    const found = this.of(type)
    return found.type === 'record' ? found : illTyped(`${printType(type)} is not a record`)
  }

  template(template: Template): TemplateSchema {
    const known = this.#templates.get(template)
    if (known) return known
    const { id, key, choices } = template
    const made: TemplateSchema = {
      id,
      argument: this.record(id),
      key: key && this.of(key.type),
      choices: this.#choices(choices),
      implements: template.implements.map((instance) => this.interface(this.#program.interface(instance.interface))),
    }
    this.#templates.set(template, made)
    return made
  }

  interface(definition: Interface): InterfaceSchema {
    const known = this.#interfaces.get(definition)
    if (known) return known
    const { id, view, choices } = definition
    const made = { id, view: this.recordOf(view), choices: this.#choices(choices) }
    this.#interfaces.set(definition, made)
    return made
  }

  #choices(choices: ReadonlyMap<string, Choice>): ChoiceSchema[] {
    return [...choices.values()].map(({ name, consuming, argument, result }) => ({
      name,
      consuming,
      argument: this.recordOf(argument.type),
      result: this.of(result),
    }))
  }

  #make(type: Type): DamlType {
    switch (type.kind) {
      case 'builtin':
        return this.#builtin(type)
      case 'con':
        return this.#data(this.#program.dataType(type.id), type.args)
      case 'syn': {
        const { params, type: body } = this.#program.synonym(type.id)
        return this.of(substitute(body, bind(params, type.args)))
      }
      default:
        return illTyped(`values of the type ${printType(type)} cannot be stored`)
    }
  }

  #builtin({ name, args }: Extract<Type, { kind: 'builtin' }>): DamlType {
    const arg = (index: number): Type => args[index] ?? illTyped(`${name} lacks an argument`)
    switch (name) {
      case 'Unit':
        return { type: 'unit' }
      case 'Bool':
        return { type: 'bool' }
      case 'Int64':
        return { type: 'int64' }
      case 'Text':
        return { type: 'text' }
      case 'Party':
        return { type: 'party' }
      case 'Date':
        return { type: 'date' }
      case 'Timestamp':
        return { type: 'timestamp' }
      case 'ContractId':
        return { type: 'contractId' }
      case 'Numeric': {
        const scale = arg(0)
        return scale.kind === 'nat' ? { type: 'numeric', scale: scale.value } : illTyped('a Numeric has no scale')
      }
      case 'Optional':
        return { type: 'optional', of: this.of(arg(0)) }
      case 'List':
        return { type: 'list', of: this.of(arg(0)) }
      case 'TextMap':
        return { type: 'textMap', of: this.of(arg(0)) }
      case 'GenMap':
        return { type: 'genMap', key: this.of(arg(0)), of: this.of(arg(1)) }
      default:
        return illTyped(`values of the type ${name} cannot be stored`)
    }
  }

  #data(data: DataType, args: readonly Type[]): DamlType {
    const { id } = data
    const fieldsOf = (fields: readonly FieldType[]): Field[] => {
      const variables = bind(data.params, args)
      return fields.map(([label, of]) => [label, this.of(substitute(of, variables))])
    }
    if (data.kind === 'enum') return { type: 'enum', id, constructors: [...data.constructors] }
    if (data.kind === 'record') {
      const fields = once(() => fieldsOf(data.fields))
      return {
        type: 'record',
        id,
        get fields() {
          return fields()
        },
      }
    }
    if (data.kind === 'variant') {
      const constructors = once(() => fieldsOf(data.constructors))
      return {
        type: 'variant',
        id,
        get constructors() {
          return constructors()
        },
      }
    }
    return illTyped(`${id.module}:${id.entity} is an interface and has no values to store`)
  }
}

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
