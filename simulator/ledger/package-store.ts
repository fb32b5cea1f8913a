import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { DamlInterface, DamlPackage, Template } from '../../model/description.js'
import { packages as describedPackages } from '../../model/packages.js'

export type Entity = { template: Template; interface?: never } | { interface: DamlInterface; template?: never }

/** The packages that a participant holds. */
export class PackageStore {
  readonly #known: ReadonlyMap<string, DamlPackage>

  constructor(packages: readonly DamlPackage[]) {
    this.#known = new Map(packages.map((item) => [item.id, item]))
  }

  /** A store that holds these as well; ids that are not described are passed over. */
  with(ids: readonly string[]): PackageStore {
    return new PackageStore([...this.all(), ...describedPackages.filter(({ id }) => ids.includes(id))])
  }

  get(packageId: string): DamlPackage | undefined {
    return this.#known.get(packageId)
  }

  all(): DamlPackage[] {
    return [...this.#known.values()]
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
