import type { JsonObject } from '../../lib/json/json.js'
import { invalidArgument } from '../base/errors.js'
import { updateFormat } from '../codec/event-format.js'
import { transactionView } from '../codec/event-view.js'
import { ok } from '../http/answer.js'
import { endpoint } from '../http/endpoint.js'
import { absentable, base64, type DecodedBy, flag, int32, int64, message, optional } from '../json/decode.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Transaction } from '../ledger/transactions/transaction.js'
import { decodeContinuation, encodeContinuation, pageSize } from './page-token.js'
import { checkUpdateFormat, demandUpdates } from './reading.js'
import { checkBounds } from './updates.js'

const pageBody = message(
  {
    beginOffsetExclusive: absentable(int64),
    endOffsetInclusive: absentable(int64),
    maxPageSize: absentable(int32),
    updateFormat: absentable(updateFormat),
    descendingOrder: optional(flag, false),
    pageToken: absentable(base64),
  },
  ['beginOffsetExclusive', 'endOffsetInclusive', 'maxPageSize', 'updateFormat', 'pageToken'],
)

type PageRequest = DecodedBy<typeof pageBody>

/** The bounds of a page: exclusive and inclusive offsets. */
interface Range {
  lowest: number
  highest: number
}

export const updatesPage = endpoint({
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
