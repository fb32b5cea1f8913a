import { supportOperations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import { nonPositiveOffset, offsetAfterLedgerEnd, offsetOutOfRange } from '../base/errors.js'
import { type EventFormatBody, updateFormat } from '../codec/event-format.js'
import { transactionView } from '../codec/event-view.js'
import { on, type Place } from '../http/endpoint.js'
import { mapped } from '../http/stream.js'
import { type StreamEndpoint, streamEndpoint } from '../http/stream-endpoint.js'
import { absentable, int64, message, optional } from '../json/decode.js'
import {
  allEffects,
  checkUpdateFormat,
  demandUpdates,
  deprecatedMembers,
  oneFormat,
  refuseNegative,
  transactionTree,
  withWildcards,
} from './reading.js'

const updatesBody = message(
  {
    beginExclusive: optional(int64, 0n),
    endInclusive: absentable(int64),
    updateFormat: absentable(updateFormat),
    ...deprecatedMembers,
  },
  ['endInclusive', 'updateFormat', 'filter'],
)

interface Kind extends Place {
  /** Converts the deprecated filter. */
  widen(filter: EventFormatBody): EventFormatBody
  show(transaction: JsonObject): JsonObject
}

const stream = ({ widen, show, ...place }: Kind): StreamEndpoint =>
  streamEndpoint({
    ...place,
    body: updatesBody,
    open: ({ participant, caller, body }) => {
      const { ledger } = participant
      const { beginExclusive, endInclusive } = body
      const requested = oneFormat('update_format', body.updateFormat, body, (filter) => allEffects(widen(filter)))
      demandUpdates(caller, requested)
      const wanted = checkUpdateFormat(requested, participant)
      checkBounds(beginExclusive, endInclusive, ledger.end)
      const last = endInclusive === undefined ? Infinity : Number(endInclusive)
      let seen = Number(beginExclusive)
      const next = (): Iterable<JsonObject> => {
        const transactions = wanted ? ledger.transactionsBetween(seen, last) : []
        seen = Math.max(seen, transactions.at(-1)?.offset ?? 0)
        return mapped(transactions, (transaction) => {
          const shown = wanted && transactionView(transaction, wanted, participant)
          return shown && { update: show(shown) }
        })
      }
      return { openEnded: endInclusive === undefined, next }
    },
  })

/** Throws `NEGATIVE_OFFSET`, `NON_POSITIVE_OFFSET`, `OFFSET_AFTER_LEDGER_END` or `OFFSET_OUT_OF_RANGE`. */
export function checkBounds(begin: bigint, end: bigint | undefined, ledgerEnd: number): void {
  refuseNegative(begin, 'begin_exclusive')
  if (end !== undefined && end <= 0n) {
    throw nonPositiveOffset('reading', `Offset ${end} in end_inclusive is not a positive integer`)
  }
  for (const [name, offset] of [
    ['Begin', begin],
    ['End', end],
  ] as const) {
    if (offset === undefined || offset <= BigInt(ledgerEnd)) continue
    throw offsetAfterLedgerEnd('reading', `${name} offset (${offset}) is after ledger end (${ledgerEnd})`)
  }
  if (end !== undefined && end < begin) {
    throw offsetOutOfRange('service', `End offset ${end} is before begin offset ${begin}.`)
  }
}

const plain = {
  widen: (filter: EventFormatBody) => filter,
  show: (transaction: JsonObject) => ({ Transaction: { value: transaction } }),
}

export const updateStreams: readonly StreamEndpoint[] = [
  stream({ ...on(supportOperations.updates), ...plain }),
  stream({ method: 'post', path: '/v2/updates/flats', ...plain }),
  stream({
    method: 'post',
    path: '/v2/updates/trees',
    widen: withWildcards,
    show: (transaction) => ({ TransactionTree: { value: transactionTree(transaction) } }),
  }),
]
