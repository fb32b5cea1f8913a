/** Resolves names in several packages. */
import type { DamlIdentifier } from '../../interface/daml-value.js'
import type {
  Choice,
  DataType,
  ExceptionDefinition,
  Interface,
  InterfaceInstance,
  Package,
  Synonym,
  Template,
  ValueDefinition,
} from '../language/package.js'
import { EvaluationFailure, illTyped } from './failures.js'
import type { RecordLayout, Value } from './values.js'

/** Undefined for an unknown package. */
type PackageSource = (packageId: string) => Package | undefined

export class Program {
  readonly #package: PackageSource
  readonly #layouts = new Map<DamlIdentifier, RecordLayout>()
  /** Values of definitions are constant. */
  readonly #computed = new Map<DamlIdentifier, Value>()
  readonly #ranks = new WeakMap<DataType, ReadonlyMap<string, number>>()

  constructor(source: PackageSource) {
    this.#package = source
  }

  /** Methods throw `EvaluationFailure` for an undefined name. */
  value(id: DamlIdentifier): ValueDefinition {
    return this.#module(id, 'value')?.values.get(id.entity) ?? missing(id, 'value')
  }

  dataType(id: DamlIdentifier): DataType {
    return this.#module(id, 'type')?.dataTypes.get(id.entity) ?? missing(id, 'type')
  }

  synonym(id: DamlIdentifier): Synonym {
    return this.#module(id, 'synonym')?.synonyms.get(id.entity) ?? missing(id, 'synonym')
  }

  template(id: DamlIdentifier): Template {
    return this.#module(id, 'template')?.templates.get(id.entity) ?? missing(id, 'template')
  }

  interface(id: DamlIdentifier): Interface {
    return this.#module(id, 'interface')?.interfaces.get(id.entity) ?? missing(id, 'interface')
  }

  exception(id: DamlIdentifier): ExceptionDefinition {
    return this.#module(id, 'exception')?.exceptions.get(id.entity) ?? missing(id, 'exception')
  }

  choice(of: Template | Interface, name: string): Choice {
    return of.choices.get(name) ?? missing(of.id, `choice ${name} of`)
  }

  /** Undefined: it does not implement the interface. */
  instance(template: DamlIdentifier, wanted: DamlIdentifier): InterfaceInstance | undefined {
    return this.template(template).implements.find((instance) => sameIdentifier(instance.interface, wanted))
  }

  layout(id: DamlIdentifier): RecordLayout {
    const known = this.#layouts.get(id)
    if (known) return known
    const type = this.dataType(id)
    if (type.kind !== 'record') return illTyped(`${id.module}:${id.entity} is not a record`)
    const made = this.#layouts.get(type.id) ?? layoutOf(type)
    this.#layouts.set(type.id, made)
    this.#layouts.set(id, made)
    return made
  }

  rank(id: DamlIdentifier, name: string): number {
    const type = this.dataType(id)
    const ranks = this.#ranks.get(type) ?? ranksOf(type)
    this.#ranks.set(type, ranks)
    return ranks.get(name) ?? illTyped(`${id.module}:${id.entity} has no constructor ${name}`)
  }

  /** The remembered value of a definition. */
  computed(id: DamlIdentifier): Value | undefined {
    return this.#computed.get(id)
  }

  remember(id: DamlIdentifier, value: Value): void {
    this.#computed.set(id, value)
  }

  #module({ packageId, module }: DamlIdentifier, what: string) {
    const found = this.#package(packageId)
    if (!found) throw new EvaluationFailure({ kind: 'missing', id: { packageId, module, entity: '' }, what })
    return found.modules.get(module)
  }
}

function missing(id: DamlIdentifier, what: string): never {
  throw new EvaluationFailure({ kind: 'missing', id, what })
}

export const sameIdentifier = (a: DamlIdentifier, b: DamlIdentifier): boolean =>
  a === b || (a.entity === b.entity && a.module === b.module && a.packageId === b.packageId)

function layoutOf({ id, fields }: DataType & { kind: 'record' }): RecordLayout {
  const labels = fields.map(([label]) => label)
  return { id, labels, position: new Map(labels.map((label, index) => [label, index])) }
}

function ranksOf(type: DataType): ReadonlyMap<string, number> {
  const names =
    type.kind === 'enum' ? type.constructors : type.kind === 'variant' ? type.constructors.map(([name]) => name) : []
  return new Map(names.map((name, index) => [name, index]))
}
