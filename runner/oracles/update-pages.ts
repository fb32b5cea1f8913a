/** Reads of updates and active contracts: probes, late reads and the last read send requests of one form. */
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import type { Evidence } from '../../record/types/record.js'
import { offsetIn } from '../execute/completions-watch.js'
import type { Caller } from '../provision/caller.js'
import { valueAt } from '../template/pointer.js'

export interface Reader {
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

/** Each page of updates. Throws `TargetError`. */
export async function* updatePages(
  { call, parties }: Reader,
  { begin, end, pageLength = usualPageLength }: { begin: number; end: number; pageLength?: number },
  received?: Receive,
): AsyncGenerator<readonly JsonValue[]> {
  for (let last = begin; ; ) {
    const { body, query } = updatesRequest(parties, { begin: last, end, pageLength })
    const page = listOf(await call('updates', body, query, received))
    yield page
    last = Math.max(last, ...page.map(offsetOf))
    if (page.length < pageLength || last >= end) return
  }
}

/** Without a continuation token in the last item, the first page is the only one. Throws `TargetError`. */
export async function readActiveContracts(
  { call, parties }: Reader,
  { activeAtOffset, pageLength }: { activeAtOffset: number; pageLength: number },
  received: Receive,
): Promise<void> {
  for (let token: JsonValue | undefined; ; ) {
    const { body, query } = activeContractsRequest(parties, {
      activeAtOffset,
      pageLength,
      ...(token !== undefined && { token }),
    })
    const page = listOf(await call('active-contracts', body, query, received))
    const next = valueAt(page.at(-1), '/streamContinuationToken')
    if (page.length < pageLength || typeof next !== 'string' || next === '' || next === token) return
    token = next
  }
}

export async function readLedgerEnd(call: Caller | undefined, received?: Receive): Promise<number> {
  return offsetIn(valueAt(await call?.('ledger-end', undefined, {}, received), '/offset'))
}

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
