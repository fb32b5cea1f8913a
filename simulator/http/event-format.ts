/** Which events a reader wants, and for which parties. */
import { invalidArgument } from '../errors.js'
import {
  absentable,
  type Decoder,
  dictionary,
  emptyCase,
  flag,
  list,
  mapped,
  members,
  message,
  oneOf,
  optional,
  required,
  union,
} from '../json/decode.js'
import type { Contract } from '../ledger/contract.js'
import type { PackageStore } from '../ledger/package-store.js'
import { type TemplateReference, templateReference } from './commands.js'

type IdentifierFilter =
  | { kind: 'wildcard'; blob: boolean }
  | { kind: 'template'; id: TemplateReference; blob: boolean }
  | { kind: 'interface'; id: TemplateReference; view: boolean; blob: boolean }

export interface EventFormat {
  /** Filters per party; a party without filters sees everything it has a stake in. */
  byParty: Map<string, IdentifierFilter[]>
  forAnyParty: IdentifierFilter[] | undefined
}

export type TransactionShape = 'TRANSACTION_SHAPE_ACS_DELTA' | 'TRANSACTION_SHAPE_LEDGER_EFFECTS'

const withBlob = { includeCreatedEventBlob: optional(flag, false) }

const identifierFilter: Decoder<IdentifierFilter> = union<IdentifierFilter>({
  WildcardFilter: mapped(message({ value: required(message(withBlob)) }), ({ value }) => ({
    kind: 'wildcard',
    blob: value.includeCreatedEventBlob,
  })),
  TemplateFilter: mapped(
    message({ value: required(message({ templateId: required(templateReference), ...withBlob })) }),
    ({ value }) => ({ kind: 'template', id: value.templateId, blob: value.includeCreatedEventBlob }),
  ),
  InterfaceFilter: mapped(
    message({
      value: required(
        message({ interfaceId: required(templateReference), includeInterfaceView: optional(flag, false), ...withBlob }),
      ),
    }),
    ({ value }) => ({
      kind: 'interface',
      id: value.interfaceId,
      view: value.includeInterfaceView,
      blob: value.includeCreatedEventBlob,
    }),
  ),
  Empty: mapped(emptyCase, () => ({ kind: 'wildcard', blob: false })),
})

const filters = mapped(
  members({ cumulative: optional(list(members({ identifierFilter: required(identifierFilter) })), []) }),
  ({ cumulative }): IdentifierFilter[] =>
    cumulative.length === 0
      ? [{ kind: 'wildcard', blob: false }]
      : cumulative.map(({ identifierFilter: found }) => found),
)

export const eventFormat: Decoder<EventFormat> = mapped(
  members({
    filtersByParty: optional(dictionary(filters), new Map()),
    filtersForAnyParty: absentable(filters),
    verbose: optional(flag, false),
  }),
  ({ filtersByParty, filtersForAnyParty }) => ({ byParty: filtersByParty, forAnyParty: filtersForAnyParty }),
)

const transactionFormat = members({
  eventFormat: required(eventFormat),
  transactionShape: required(
    oneOf<TransactionShape>(['TRANSACTION_SHAPE_ACS_DELTA', 'TRANSACTION_SHAPE_LEDGER_EFFECTS']),
  ),
})

export const updateFormat = members({ includeTransactions: absentable(transactionFormat) })

/** Parties that are named; no list means any. Throws when neither parties nor an any-party filter are there. */
export function partiesOf(format: EventFormat): string[] | undefined {
  if (format.forAnyParty) return undefined
  if (format.byParty.size > 0) return [...format.byParty.keys()]
  throw invalidArgument('service', 'filtersByParty and filtersForAnyParty cannot be empty simultaneously')
}

export interface Selection {
  /** Parties for which the contract matches a filter. */
  parties: Set<string>
  blob: boolean
  /** Interfaces whose view is wanted. */
  views: TemplateReference[]
}

/** What a format selects of a contract that the given parties know of; undefined: nothing. */
export function select(
  format: EventFormat,
  contract: Contract,
  knownTo: readonly string[],
  packages: PackageStore,
): Selection | undefined {
  const selection: Selection = { parties: new Set(), blob: false, views: [] }
  for (const party of knownTo) {
    for (const filter of [...(format.byParty.get(party) ?? []), ...(format.forAnyParty ?? [])]) {
      if (!matches(filter, contract, packages)) continue
      selection.parties.add(party)
      selection.blob ||= filter.blob
      if (filter.kind === 'interface' && filter.view) selection.views.push(filter.id)
    }
  }
  return selection.parties.size > 0 ? selection : undefined
}

function matches(filter: IdentifierFilter, contract: Contract, packages: PackageStore): boolean {
  if (filter.kind === 'wildcard') return true
  const { module, entity } = filter.id
  if (filter.kind === 'template') {
    const { template } = contract
    return template.module === module && template.entity === entity && samePackage(filter.id.package, contract)
  }
  const implemented = packages.template(contract.template)?.implements ?? []
  return implemented.some(({ interface: { id } }) => id.module === module && id.entity === entity)
}

const samePackage = (reference: string, contract: Contract): boolean =>
  reference === `#${contract.packageName}` || reference === contract.template.packageId
