import type { InterfaceSchema } from '../../daml/schema/schema.js'
import type { Contract } from '../ledger/contracts/contract.js'
import type { PackageStore } from '../ledger/packages/package-store.js'
import type { EventFormat, NamedEntity } from './checked-format.js'

export interface Selection {
  parties: Set<string>
  blob: boolean
  views: Set<InterfaceSchema>
}

/** Undefined: no filter matches. */
export function select(
  format: EventFormat,
  contract: Contract,
  knownTo: readonly string[],
  packages: PackageStore,
): Selection | undefined {
  const implemented = packages.template(contract.template)?.implements ?? []
  const instancesOf = (id: NamedEntity): InterfaceSchema[] =>
    implemented.filter(({ id: found }) => isNamed(id, found, packages.get(found.packageId)))
  const selection: Selection = { parties: new Set(), blob: false, views: new Set() }
  for (const party of knownTo) {
    for (const filter of [...(format.byParty.get(party) ?? []), ...(format.forAnyParty ?? [])]) {
      const instances = filter.kind === 'interface' ? instancesOf(filter.id) : []
      if (filter.kind === 'interface' && instances.length === 0) continue
      if (filter.kind === 'template' && !isNamed(filter.id, contract.template, { name: contract.packageName })) continue
      selection.parties.add(party)
      selection.blob ||= filter.blob
      if (filter.kind === 'interface' && filter.view) for (const item of instances) selection.views.add(item)
    }
  }
  return selection.parties.size > 0 ? selection : undefined
}

const isNamed = (
  { packageName, module, entity }: NamedEntity,
  id: { module: string; entity: string },
  found: { name: string } | undefined,
): boolean => found?.name === packageName && id.module === module && id.entity === entity
