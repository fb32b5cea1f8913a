import {
  absentable,
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

const identifierFilter: Decoder<Filter<TemplateReference>[]> = union<Filter<TemplateReference>[]>({
  WildcardFilter: mapped(message({ value: required(message(withBlob)) }), ({ value }) => [
    { kind: 'wildcard', blob: value.includeCreatedEventBlob },
  ]),
  TemplateFilter: mapped(
    message({ value: required(message({ templateId: required(templateReference), ...withBlob })) }),
    ({ value }) => [{ kind: 'template', id: value.templateId, blob: value.includeCreatedEventBlob }],
  ),
  InterfaceFilter: mapped(
    message({
      value: required(
        message({ interfaceId: required(templateReference), includeInterfaceView: optional(flag, false), ...withBlob }),
      ),
    }),
    ({ value }) => [
      {
        kind: 'interface',
        id: value.interfaceId,
        view: value.includeInterfaceView,
        blob: value.includeCreatedEventBlob,
      },
    ],
  ),
  Empty: mapped(emptyCase, () => []),
})

/** Without an effective filter, all events match. */
const filters = mapped(
  members({ cumulative: optional(list(members({ identifierFilter: required(identifierFilter) })), []) }),
  ({ cumulative }): Filter<TemplateReference>[] => {
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
