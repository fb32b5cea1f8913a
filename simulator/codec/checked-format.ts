/** Which events a reader wants, looked at: every name in it names something that the participant has. */
import { grammars, violation } from '../../interface/grammars.js'
import {
  type ErrorOrigin,
  interfaceNotFound,
  invalidArgument,
  invalidField,
  missingField,
  packageNamesNotFound,
  templateNotFound,
} from '../base/errors.js'
import type { Entity, PackageStore } from '../ledger/packages/package-store.js'
import type { TemplateReference } from './commands.js'
import type { EventFormatBody, Filter, Filters, TransactionFormatBody, TransactionShape } from './event-format.js'

/** A template or an interface in whatever version of a package. */
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

/** Parties that are named; undefined: any. */
export const partiesOf = ({ byParty, forAnyParty }: Filters<unknown>): string[] | undefined =>
  forAnyParty ? undefined : [...byParty.keys()]

/** Throws `MISSING_FIELD` where there is no event format or no shape, and as `checkEventFormat`. */
export function checkTransactionFormat(
  { eventFormat, transactionShape }: TransactionFormatBody,
  packages: PackageStore,
  origin: ErrorOrigin,
): TransactionFormat {
  if (!eventFormat) throw missingField(origin, 'event_format')
  const checked = checkEventFormat(eventFormat, packages, origin)
  return { eventFormat: checked, transactionShape: checkShape(transactionShape, origin) }
}

/** Throws `MISSING_FIELD` for the shape that is none. */
function checkShape(shape: TransactionFormatBody['transactionShape'], origin: ErrorOrigin): TransactionShape {
  if (shape === 'TRANSACTION_SHAPE_UNSPECIFIED') throw missingField(origin, 'transaction_shape')
  return shape
}

/** Throws `INVALID_ARGUMENT` where nobody's events are asked for. */
function demandFilters({ byParty, forAnyParty }: EventFormatBody, origin: ErrorOrigin): void {
  if (byParty.size > 0 || forAnyParty) return
  throw invalidArgument(origin, 'filtersByParty and filtersForAnyParty cannot be empty simultaneously')
}

/**
 * The filters with every reference resolved. Throws `INVALID_ARGUMENT`, `INVALID_FIELD` (a package id where only a name will
 * do), `PACKAGE_NAMES_NOT_FOUND`, or the code of an entity that no version of its package has - in this order, whatever
 * order the filters have (as the reference participant 3.5.10 does; its source says so of the last).
 */
export function checkEventFormat(format: EventFormatBody, packages: PackageStore, origin: ErrorOrigin): EventFormat {
  demandFilters(format, origin)
  const byParty = new Map<string, Filter<NamedEntity>[]>()
  for (const [party, filters] of format.byParty) {
    const problem = violation(grammars.partyId, party)
    if (problem) throw invalidArgument(origin, problem)
    byParty.set(party, named(filters, origin))
  }
  const forAnyParty = format.forAnyParty && named(format.forAnyParty, origin)
  refuseUnknown([...byParty.values(), forAnyParty ?? []].flat(), packages, origin)
  return { byParty, forAnyParty }
}

const named = (filters: readonly Filter<TemplateReference>[], origin: ErrorOrigin): Filter<NamedEntity>[] =>
  filters.map((filter) => (filter.kind === 'wildcard' ? filter : { ...filter, id: nameIn(filter.id, origin) }))

function nameIn({ package: reference, module, entity }: TemplateReference, origin: ErrorOrigin): NamedEntity {
  const isName = reference.startsWith('#')
  const packageName = isName ? reference.slice(1) : reference
  const problem = violation(isName ? grammars.packageName : grammars.packageId, packageName)
  if (problem) throw invalidField(origin, 'package reference', problem)
  if (isName) return { packageName, module, entity }
  throw invalidField(
    origin,
    'packageId',
    `Received an identifier with package ID ${reference}, but expected a package name.`,
  )
}

function refuseUnknown(filters: readonly Filter<NamedEntity>[], packages: PackageStore, origin: ErrorOrigin): void {
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
