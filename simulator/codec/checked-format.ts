/** Event formats with known names. */
import type { InterfaceSchema } from '../../daml/schema/schema.js'
import { grammars } from '../../interface/grammars.js'
import { checkArgument, checkField } from '../base/checks.js'
import {
  type ErrorOrigin,
  interfaceNotFound,
  invalidArgument,
  invalidField,
  missingField,
  packageNamesNotFound,
  templateNotFound,
} from '../base/errors.js'
import type { Contract } from '../ledger/contracts/contract.js'
import type { Entity, PackageStore } from '../ledger/packages/package-store.js'
import type { TemplateReference } from './commands.js'
import type { Source } from './conversion.js'
import type { EventFormatBody, Filter, Filters, TransactionFormatBody, TransactionShape } from './event-format.js'

/** Without package version. */
export interface NamedEntity {
  packageName: string
  module: string
  entity: string
}

export type EventFormat = Filters<NamedEntity>

export interface TransactionFormat {
  eventFormat: EventFormat
  transactionShape: TransactionShape
}

/** `undefined`: any party. */
export const partiesOf = ({ byParty, forAnyParty }: Filters<unknown>): string[] | undefined =>
  forAnyParty ? undefined : [...byParty.keys()]

/** Wildcards for all parties. */
export const everythingFor = (parties: readonly string[], transactionShape: TransactionShape): TransactionFormat => ({
  eventFormat: {
    byParty: new Map(parties.map((party) => [party, [{ kind: 'wildcard', blob: false }]])),
    forAnyParty: undefined,
  },
  transactionShape,
})

/** Throws `MISSING_FIELD`, and the errors of `checkEventFormat`. */
export function checkTransactionFormat(
  format: TransactionFormatBody,
  participant: Source,
  origin: ErrorOrigin,
): TransactionFormat {
  const named = namedTransactionFormat(format, participant, origin)
  refuseUnknown(named.eventFormat, participant, origin)
  return named
}

/** With names that may be unknown. Throws the other errors of `checkTransactionFormat`. */
export function namedTransactionFormat(
  { eventFormat, transactionShape }: TransactionFormatBody,
  participant: Source,
  origin: ErrorOrigin,
): TransactionFormat {
  if (!eventFormat) throw missingField(origin, 'event_format')
  const named = namedEventFormat(eventFormat, participant, origin)
  return { eventFormat: named, transactionShape: checkShape(transactionShape, origin) }
}

function checkShape(shape: TransactionFormatBody['transactionShape'], origin: ErrorOrigin): TransactionShape {
  if (shape === 'TRANSACTION_SHAPE_UNSPECIFIED') throw missingField(origin, 'transaction_shape')
  return shape
}

function demandFilters({ byParty, forAnyParty }: EventFormatBody, origin: ErrorOrigin): void {
  if (byParty.size > 0 || forAnyParty) return
  throw invalidArgument(origin, 'filtersByParty and filtersForAnyParty cannot be empty simultaneously')
}

/**
 * Throws `INVALID_ARGUMENT`, `INVALID_FIELD`, `PACKAGE_NAMES_NOT_FOUND`, or the code of a missing entity, in this order
 * (observed on 3.5.10; the last from its source).
 */
export function checkEventFormat(format: EventFormatBody, participant: Source, origin: ErrorOrigin): EventFormat {
  const checked = namedEventFormat(format, participant, origin)
  refuseUnknown(checked, participant, origin)
  return checked
}

function namedEventFormat(
  format: EventFormatBody,
  { ledger: { packages }, behaviour }: Source,
  origin: ErrorOrigin,
): EventFormat {
  const byId = behaviour.has('filters-by-package-id') ? packages : undefined
  demandFilters(format, origin)
  const byParty = new Map<string, Filter<NamedEntity>[]>()
  for (const [party, filters] of format.byParty) {
    checkArgument(origin, grammars.partyId, party)
    byParty.set(party, named(filters, origin, byId))
  }
  const forAnyParty = format.forAnyParty && named(format.forAnyParty, origin, byId)
  return { byParty, forAnyParty }
}

const named = (
  filters: readonly Filter<TemplateReference>[],
  origin: ErrorOrigin,
  byId: PackageStore | undefined,
): Filter<NamedEntity>[] =>
  filters.map((filter) => (filter.kind === 'wildcard' ? filter : { ...filter, id: nameIn(filter.id, origin, byId) }))

/** `byId`: package ids are accepted. */
function nameIn(
  { package: reference, module, entity }: TemplateReference,
  origin: ErrorOrigin,
  byId: PackageStore | undefined,
): NamedEntity {
  const isName = reference.startsWith('#')
  const packageName = isName ? reference.slice(1) : reference
  checkField(origin, 'package reference', isName ? grammars.packageName : grammars.packageId, packageName)
  if (isName) return { packageName, module, entity }
  if (byId) return { packageName: byId.get(reference)?.name ?? reference, module, entity }
  throw invalidField(
    origin,
    'packageId',
    `Received an identifier with package ID ${reference}, but expected a package name.`,
  )
}

/** Throws `PACKAGE_NAMES_NOT_FOUND`, or the code of a missing entity. */
export function refuseUnknown(
  { byParty, forAnyParty = [] }: EventFormat,
  { ledger: { packages } }: Source,
  origin: ErrorOrigin,
): void {
  const filters = [...byParty.values(), forAnyParty].flat()
  const references = filters.flatMap((filter) => (filter.kind === 'wildcard' ? [] : [filter]))
  const unknown = references.find(({ id }) => packages.versionsOf(id.packageName).length === 0)
  if (unknown) {
    const problem = 'The following package names do not match upgradable packages uploaded on this participant'
    throw packageNamesNotFound(origin, `${problem}: [${unknown.id.packageName}].`)
  }
  const isKnown = ({ kind, id }: (typeof references)[number]): boolean =>
    packages.versionsOf(id.packageName).some((version) => {
      const found: Entity | undefined = packages.entity({ ...id, packageId: version.id })
      return found?.[kind] !== undefined
    })
  for (const [kind, notFound] of [
    ['template', templateNotFound],
    ['interface', interfaceNotFound],
  ] as const) {
    const missing = references.find((reference) => reference.kind === kind && !isKnown(reference))
    if (missing) throw notFound(origin, missing.id)
  }
}

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
