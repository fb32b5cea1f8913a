/** Reads of updates and active contracts: probes, late reads and the last read send requests of one form. */
import { excerpt, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import { offsetIn } from '../execute/completions-watch.js'
import type { Caller } from '../provision/caller.js'
import { TargetError } from '../target/target.js'
import { valueAt } from '../template/pointer.js'

export interface Reader {
  user: string
  call: Caller
  /** All parties that the reader shows. */
  parties: readonly string[]
}

type Receive = (evidence: Evidence) => void

interface ReadRequest {
  body: JsonObject
  query: Record<string, string>
}

/** Below the limit of one answer of Canton 3.5.10. The probes of the suite state the same number. */
export const usualPageLength = 150

const queryFor = (pageLength: number) => ({ stream_idle_timeout_ms: '5000', limit: String(pageLength) })

const updatesRequest = (
  parties: readonly string[],
  { begin, end, pageLength }: { begin: number; end: number; pageLength: number },
): ReadRequest => ({
  body: { beginExclusive: begin, endInclusive: end, updateFormat: updateFormatFor(parties) },
  query: queryFor(pageLength),
})

/** `token`: of the last item of the page before. */
const activeContractsRequest = (
  parties: readonly string[],
  { activeAtOffset, token, pageLength }: { activeAtOffset: number; token?: JsonValue; pageLength: number },
): ReadRequest => ({
  body: {
    activeAtOffset,
    eventFormat: eventFormatFor(parties),
    ...(token !== undefined && { streamContinuationToken: token }),
  },
  query: queryFor(pageLength),
})

/** Of one read: 300,000 items of the usual length. */
const mostPages = 2000

/** The target would never end a read. */
export class EndlessPages extends TargetError {
  constructor(operation: string, why: string) {
    super(`the read of ${operation} has no end: ${why}`)
  }
}

function expectEnd(operation: string, pages: number): void {
  if (pages === mostPages) throw new EndlessPages(operation, `${mostPages} answers are full pages`)
}

/** Each page of updates. Throws `TargetError`. */
export async function* updatePages(
  { call, parties }: Reader,
  { begin, end, pageLength = usualPageLength }: { begin: number; end: number; pageLength?: number },
  received?: Receive,
): AsyncGenerator<readonly JsonValue[]> {
  let last = begin
  for (let pages = 1; ; pages += 1) {
    const { body, query } = updatesRequest(parties, { begin: last, end, pageLength })
    const page = listOf(await call('updates', body, query, received))
    yield page
    const before = last
    last = Math.max(last, ...page.map(offsetOf))
    if (page.length < pageLength || last >= end) return
    if (last === before)
      throw new EndlessPages('updates', `${page.length} updates behind offset ${before} have no later offset`)
    expectEnd('updates', pages)
  }
}

/** Each page. Without a continuation token in the last item, the first page is the only one. Throws `TargetError`. */
export async function* activeContractPages(
  { call, parties }: Reader,
  { activeAtOffset, pageLength }: { activeAtOffset: number; pageLength: number },
  received?: Receive,
): AsyncGenerator<readonly JsonValue[]> {
  let token: string | undefined
  const seen = new Set<string>()
  for (let pages = 1; ; pages += 1) {
    const { body, query } = activeContractsRequest(parties, {
      activeAtOffset,
      pageLength,
      ...(token !== undefined && { token }),
    })
    const page = listOf(await call('active-contracts', body, query, received))
    yield page
    const next = valueAt(page.at(-1), '/streamContinuationToken')
    if (page.length < pageLength || typeof next !== 'string' || next === '' || next === token) return
    if (seen.has(next)) throw new EndlessPages('active-contracts', 'a continuation token is repeated')
    expectEnd('active-contracts', pages)
    seen.add(next)
    token = next
  }
}

/** Milliseconds without a completion, after which a list ends: it has no other end. As in requests of the suite. */
const completionsPause = 300

/** Each page of completions of the user. Throws `TargetError`. */
export async function* completionPages(
  { user, call, parties }: Reader,
  { begin, pageLength }: { begin: number; pageLength: number },
  received?: Receive,
): AsyncGenerator<readonly JsonValue[]> {
  let last = begin
  for (let pages = 1; ; pages += 1) {
    const body = { userId: user, parties: [...parties], beginExclusive: last }
    const query = { stream_idle_timeout_ms: String(completionsPause), limit: String(pageLength) }
    const page = listOf(await call('completions', body, query, received))
    yield page
    const before = last
    last = Math.max(last, ...page.map(completionOffsetOf))
    // A list without later offsets has no next page.
    if (page.length < pageLength || last === before) return
    expectEnd('completions', pages)
  }
}

/** Of an item of `POST /v2/commands/completions`. 0 if invalid. */
export const completionOffsetOf = (item: JsonValue): number => offsetIn(valueAt(completionIn(item), '/offset'))

export const completionIn = (item: JsonValue): JsonValue | undefined =>
  valueAt(item, '/completionResponse/Completion/value')

/** 0 without a caller. Throws `TargetError`, also for an offset that no later request can contain. */
export async function readLedgerEnd(call: Caller | undefined, received?: Receive): Promise<number> {
  if (!call) return 0
  const offset = valueAt(await call('ledger-end', undefined, {}, received), '/offset')
  if (isUsableOffset(offset)) return offset
  const shown = offset === undefined ? 'no offset' : `the offset ${excerpt(offset, 60)}`
  throw new TargetError(`ledger-end returned ${shown}. An offset is an integer up to ${Number.MAX_SAFE_INTEGER}.`)
}

/** Of a ledger end, as the requests of this program can contain it. */
export const isUsableOffset = (value: JsonValue | undefined): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** Of an item of `POST /v2/updates`. */
export const offsetOf = (item: JsonValue): number => offsetIn(valueAt(updateIn(item), '/offset'))

/** The transaction, or an update of another kind. */
export const updateIn = (item: JsonValue): JsonValue | undefined => {
  const [[, content] = []] = Object.entries(valueAt(item, '/update') ?? {})
  return valueAt(content, '/value')
}

const listOf = (answer: JsonValue): readonly JsonValue[] => (Array.isArray(answer) ? answer : [])

const updateFormatFor = (parties: readonly string[]): JsonObject => ({
  includeTransactions: {
    eventFormat: eventFormatFor(parties),
    transactionShape: 'TRANSACTION_SHAPE_LEDGER_EFFECTS',
  },
})

const eventFormatFor = (parties: readonly string[]): JsonObject => ({
  filtersByParty: Object.fromEntries(parties.map((party) => [party, { cumulative: [wildcard] }])),
  verbose: true,
})

const wildcard = { identifierFilter: { WildcardFilter: { value: { includeCreatedEventBlob: false } } } }
