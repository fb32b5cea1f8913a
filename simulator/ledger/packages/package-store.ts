import { Program } from '../../../daml/machine/program.js'
import { type ChoiceSchema, type InterfaceSchema, Schemas, type TemplateSchema } from '../../../daml/schema/schema.js'
import { Types } from '../../../daml/schema/types.js'
import type { DamlIdentifier } from '../../../interface/daml-value.js'
import { builtInPackages } from './built-in-packages.js'
import type { HeldPackage } from './held-package.js'

export type Entity = { template: TemplateSchema; interface?: never } | { interface: InterfaceSchema; template?: never }

/** Immutable: an upload creates another store. */
export class PackageStore {
  readonly #held: ReadonlyMap<string, HeldPackage>
  readonly program: Program
  readonly types: Types
  readonly #schemas: Schemas

  constructor(packages: readonly HeldPackage[]) {
    this.#held = new Map(packages.map((item) => [item.id, item]))
    // The built-in package needs library packages that participants do not list.
    this.program = new Program((id) => (this.#held.get(id) ?? builtInPackages.get(id))?.content)
    this.types = new Types(this.program)
    this.#schemas = new Schemas(this.program, this.types)
  }

  with(packages: readonly HeldPackage[]): PackageStore {
    const added = packages.filter(({ id }) => !this.#held.has(id))
    return added.length === 0 ? this : new PackageStore([...this.all(), ...added])
  }

  get(packageId: string): HeldPackage | undefined {
    return this.#held.get(packageId)
  }

  all(): HeldPackage[] {
    return [...this.#held.values()]
  }

  /** Newest first. */
  versionsOf(name: string): HeldPackage[] {
    return this.all()
      .filter((item) => item.name === name)
      .sort((a, b) => compareVersions(b.version, a.version))
  }

  entity({ packageId, module, entity }: DamlIdentifier): Entity | undefined {
    const found = this.get(packageId)?.content.modules.get(module)
    const template = found?.templates.get(entity)
    if (template) return { template: this.#schemas.template(template) }
    const definition = found?.interfaces.get(entity)
    return definition && { interface: this.#schemas.interface(definition) }
  }

  template(id: DamlIdentifier): TemplateSchema | undefined {
    return this.entity(id)?.template
  }

  choice(id: DamlIdentifier, name: string): ChoiceSchema | undefined {
    const { template, interface: definition } = this.entity(id) ?? {}
    return (template ?? definition)?.choices.find((choice) => choice.name === name)
  }

  templatesOf({ content }: HeldPackage): TemplateSchema[] {
    return this.#schemas.templatesOf(content)
  }
}

function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number)
  const right = b.split('.').map(Number)
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}
