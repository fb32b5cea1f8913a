import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { DamlInterface, DamlPackage, Template } from '../../model/description.js'
import { builtInPackage, packages as describedPackages } from '../../model/packages.js'

export type Entity = { template: Template; interface?: never } | { interface: DamlInterface; template?: never }

/** Which packages the participant holds, and which of them are vetted. */
export class PackageStore {
  readonly #known = new Map<string, DamlPackage>([[builtInPackage.id, builtInPackage]])
  readonly #vetted = new Set<string>([builtInPackage.id])

  /** Takes the described packages among the given ids; returns how many it took. */
  upload(packageIds: readonly string[], vet: boolean): number {
    const found = describedPackages.filter(({ id }) => packageIds.includes(id))
    for (const item of found) {
      this.#known.set(item.id, item)
      if (vet) this.#vetted.add(item.id)
    }
    return found.length
  }

  get(packageId: string): DamlPackage | undefined {
    return this.#known.get(packageId)
  }

  all(): DamlPackage[] {
    return [...this.#known.values()]
  }

  isVetted(packageId: string): boolean {
    return this.#vetted.has(packageId)
  }

  /** All versions with this name, newest first. */
  versionsOf(name: string): DamlPackage[] {
    return this.all()
      .filter((item) => item.name === name)
      .sort((a, b) => compareVersions(b.version, a.version))
  }

  /** The template or interface of that id, if its package is held and has it. */
  entity(id: DamlIdentifier): Entity | undefined {
    const found = this.get(id.packageId)
    const named = (item: { id: DamlIdentifier }): boolean =>
      item.id.module === id.module && item.id.entity === id.entity
    const template = found?.templates.find(named)
    if (template) return { template }
    const definition = found?.interfaces.find(named)
    return definition && { interface: definition }
  }

  template(id: DamlIdentifier): Template | undefined {
    return this.entity(id)?.template
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
