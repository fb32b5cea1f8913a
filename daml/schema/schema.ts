import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Choice, Interface, Package, Template } from '../language/package.js'
import type { Program } from '../machine/program.js'
import type { DamlType, RecordType } from './daml-type.js'
import type { Types } from './types.js'

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
export class Schemas {
  readonly #program: Program
  readonly #types: Types
  readonly #templates = new Map<Template, TemplateSchema>()
  readonly #interfaces = new Map<Interface, InterfaceSchema>()

  constructor(program: Program, types: Types) {
    this.#program = program
    this.#types = types
  }

  templatesOf(definitions: Package): TemplateSchema[] {
    return [...definitions.modules.values()].flatMap(({ templates }) =>
      [...templates.values()].map((template) => this.template(template)),
    )
  }

  template(template: Template): TemplateSchema {
    const known = this.#templates.get(template)
    if (known) return known
    const { id, key, choices } = template
    const made: TemplateSchema = {
      id,
      argument: this.#types.record(id),
      key: key && this.#types.of(key.type),
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
    const made = { id, view: this.#types.recordOf(view), choices: this.#choices(choices) }
    this.#interfaces.set(definition, made)
    return made
  }

  #choices(choices: ReadonlyMap<string, Choice>): ChoiceSchema[] {
    return [...choices.values()].map(({ name, consuming, argument, result }) => ({
      name,
      consuming,
      argument: this.#types.recordOf(argument.type),
      result: this.#types.of(result),
    }))
  }
}
