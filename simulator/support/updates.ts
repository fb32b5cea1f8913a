import { supportOperations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import { invalidArgument, nonPositiveOffset, offsetAfterLedgerEnd, offsetOutOfRange } from '../base/errors.js'
import { type EventFormatBody, updateFormat } from '../codec/event-format.js'
import { transactionView } from '../codec/event-view.js'
import { ok } from '../http/answer.js'
import { type Endpoint, endpoint, on, type Place } from '../http/endpoint.js'
import { mapped, type StreamEndpoint, streamEndpoint } from '../http/stream.js'
import { absentable, base64, type DecodedBy, flag, int32, int64, message, optional } from '../json/decode.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Transaction } from '../ledger/transactions/transaction.js'
import {
  allEffects,
  checkUpdateFormat,
  decodeContinuation,
  demandUpdates,
  deprecatedMembers,
  encodeContinuation,
  oneFormat,
  pageSize,
  refuseNegative,
  transactionTree,
  withWildcards,
} from './reading.js'

const updatesBody = message({
  beginExclusive: optional(int64, 0n),
  endInclusive: absentable(int64),
  updateFormat: absentable(updateFormat),
  ...deprecatedMembers,
})

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
function checkBounds(begin: bigint, end: bigint | undefined, ledgerEnd: number): void {
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

const pageBody = message({
  beginOffsetExclusive: absentable(int64),
  endOffsetInclusive: absentable(int64),
  maxPageSize: absentable(int32),
  updateFormat: absentable(updateFormat),
  descendingOrder: optional(flag, false),
  pageToken: absentable(base64),
})

type PageRequest = DecodedBy<typeof pageBody>

/** The bounds of a page: exclusive and inclusive offsets. */
interface Range {
  lowest: number
  highest: number
}

const updatesPage = endpoint({
  method: 'post',
  path: '/v2/updates/get-updates-page',
  body: pageBody,
  handle: ({ participant, caller, body }) => {
    const { ledger } = participant
    demandUpdates(caller, body.updateFormat)
    const { beginOffsetExclusive: begin = 0n, endOffsetInclusive: end } = body
    // Unlike in streams (source of 3.5).
    if (end !== undefined && end > 0n && end < begin)
      throw invalidArgument('service', 'beginOffsetExclusive is after endOffsetInclusive')
    checkBounds(begin, end, ledger.end)
    const size = pageSize(body.maxPageSize)
    const wanted = checkUpdateFormat(body.updateFormat, participant)
    const question = questionOf(body, ledger)
    const left = remaining(body, question, ledger)
    const transactions = wanted ? ledger.transactionsBetween(left.lowest, left.highest) : []
    if (body.descendingOrder) transactions.reverse()
    const shown: { transaction: Transaction; view: JsonObject }[] = []
    for (const transaction of transactions) {
      if (shown.length === size) break
      const view = wanted && transactionView(transaction, wanted, participant)
      if (view) shown.push({ transaction, view })
    }
    const last = shown.length === size ? shown.at(-1)?.transaction.offset : undefined
    const page = {
      ...left,
      ...(last !== undefined && (body.descendingOrder ? { lowest: last - 1 } : { highest: last })),
    }
    return ok({
      updates: shown.map(({ view }) => ({ update: { Transaction: { value: view } } })),
      lowestPageOffsetExclusive: page.lowest,
      highestPageOffsetInclusive: page.highest,
      nextPageToken: nextToken(body, { page, left }, question),
    })
  },
})

const questionOf = ({ beginOffsetExclusive, endOffsetInclusive, ...body }: PageRequest, ledger: Ledger): string => {
  const { byParty, forAnyParty } = body.updateFormat?.includeTransactions?.eventFormat ?? {}
  const bounds = [beginOffsetExclusive, endOffsetInclusive, body.descendingOrder].map(String)
  return JSON.stringify([bounds, [...(byParty ?? [])], forAnyParty ?? null, ledger.participantId])
}

/** Throws `INVALID_ARGUMENT` for a token of another request. */
function remaining(body: PageRequest, question: string, ledger: Ledger): Range {
  const before = decodeContinuation(body.pageToken, question)
  const whole = {
    lowest: Number(body.beginOffsetExclusive ?? 0n),
    highest: Number(body.endOffsetInclusive ?? BigInt(ledger.end)),
  }
  if (!before) return whole
  const position = Number(before.position)
  return body.descendingOrder ? { ...whole, highest: position } : { ...whole, lowest: position }
}

/** In ascending order without an end, a client may always ask for later updates. */
function nextToken(body: PageRequest, { page, left }: { page: Range; left: Range }, question: string): string | null {
  const isLast = body.descendingOrder
    ? page.lowest <= left.lowest
    : body.endOffsetInclusive !== undefined && page.highest >= left.highest
  if (isLast) return null
  const position = BigInt(body.descendingOrder ? page.lowest : page.highest)
  return encodeContinuation({ position, bound: 0n }, question)
}

export const updateEndpoints: readonly Endpoint[] = [
  stream({ ...on(supportOperations.updates), ...plain }),
  stream({ method: 'post', path: '/v2/updates/flats', ...plain }),
  stream({
    method: 'post',
    path: '/v2/updates/trees',
    widen: withWildcards,
    show: (transaction) => ({ TransactionTree: { value: transactionTree(transaction) } }),
  }),
  updatesPage,
]
