import {
  absentable,
  contentOf,
  type DecodedBy,
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
import { type TemplateReference, templateReference } from './commands.js'

export type Filter<Name> =
  | { kind: 'wildcard'; blob: boolean }
  | { kind: 'template'; id: Name; blob: boolean }
  | { kind: 'interface'; id: Name; view: boolean; blob: boolean }

export interface Filters<Name> {
  byParty: Map<string, Filter<Name>[]>
  forAnyParty: Filter<Name>[] | undefined
}

/** Unchecked. */
export type EventFormatBody = Filters<TemplateReference>

export type TransactionShape = 'TRANSACTION_SHAPE_ACS_DELTA' | 'TRANSACTION_SHAPE_LEDGER_EFFECTS'

const withBlob = { includeCreatedEventBlob: optional(flag, false) }

type GivenFilter = Filter<TemplateReference>

const identifierFilter = union({
  WildcardFilter: mapped(
    contentOf(message(withBlob)),
    ({ includeCreatedEventBlob: blob }): GivenFilter => ({ kind: 'wildcard', blob }),
  ),
  TemplateFilter: mapped(
    contentOf(message({ templateId: required(templateReference), ...withBlob })),
    ({ templateId: id, includeCreatedEventBlob: blob }): GivenFilter => ({ kind: 'template', id, blob }),
  ),
  InterfaceFilter: mapped(
    contentOf(
      message({ interfaceId: required(templateReference), includeInterfaceView: optional(flag, false), ...withBlob }),
    ),
    ({ interfaceId: id, includeInterfaceView: view, includeCreatedEventBlob: blob }): GivenFilter => ({
      kind: 'interface',
      id,
      view,
      blob,
    }),
  ),
  Empty: mapped(emptyCase, () => []),
})

/** Without an effective filter, all events match. */
const filters = mapped(
  members({ cumulative: optional(list(members({ identifierFilter: required(identifierFilter) })), []) }),
  ({ cumulative }): GivenFilter[] => {
    const named = cumulative.flatMap((item) => item.identifierFilter)
    return named.length > 0 ? named : [{ kind: 'wildcard', blob: false }]
  },
)

/** Accepts the deprecated `verbose`, which has no effect. */
export const eventFormat: Decoder<EventFormatBody> = mapped(
  members({
    filtersByParty: optional(dictionary(filters), new Map()),
    filtersForAnyParty: absentable(filters),
    verbose: optional(flag, false),
  }),
  ({ filtersByParty, filtersForAnyParty }) => ({ byParty: filtersByParty, forAnyParty: filtersForAnyParty }),
)

export const transactionFormat = members({
  eventFormat: absentable(eventFormat),
  transactionShape: required(
    oneOf<TransactionShape | 'TRANSACTION_SHAPE_UNSPECIFIED'>([
      'TRANSACTION_SHAPE_UNSPECIFIED',
      'TRANSACTION_SHAPE_ACS_DELTA',
      'TRANSACTION_SHAPE_LEDGER_EFFECTS',
    ]),
  ),
})

export type TransactionFormatBody = DecodedBy<typeof transactionFormat>

/** Reassignments and topology changes are not supported. */
export const updateFormat = members({ includeTransactions: absentable(transactionFormat) })

export type UpdateFormatBody = DecodedBy<typeof updateFormat>
