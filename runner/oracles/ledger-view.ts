/** What the last reads show. Pure. */

import { groupBy } from '../../lib/group-by.js'
import { excerpt, isJsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence, RecordedRead } from '../../record/types/record.js'
import { offsetIn } from '../execute/completions-watch.js'
import { answerOf, sentJson } from '../judge/answer.js'
import { isSuccess } from '../judge/sent-steps.js'
import { itemsAt, stringAt, valueAt } from '../template/pointer.js'
import { isUsableOffset, offsetOf, updateIn } from './update-pages.js'

export interface ShownUpdate {
  id: string
  offset: number
  item: JsonValue
  text: string
  /** A party that the run created sees it. */
  isOwn: boolean
}

export interface ActiveContracts {
  parties: ReadonlySet<string>
  ids: ReadonlySet<string>
  isWhole: boolean
}

export interface LedgerView {
  end: number
  /** By update id. */
  updates: ReadonlyMap<string, ShownUpdate>
  /** All parties whose updates were read. */
  parties: ReadonlySet<string>
  /** One for each reader. */
  active: ActiveContracts[]
}

/** An answered read. Its bodies are parsed once. */
interface Page {
  evidence: Evidence
  sent: JsonValue | undefined
  /** That the request names, in its order. */
  parties: string[]
  limit: number
  isList: boolean
  /** Empty if the answer is no list. */
  items: readonly JsonValue[]
}

/** `made`: parties that the run created. Returns the reason if the reads of updates are incomplete. */
export function ledgerViewOf(reads: readonly RecordedRead[], made: ReadonlySet<string>): LedgerView | Reason {
  const readsOf = (name: string): Evidence[] =>
    reads.flatMap(({ operation, evidence }) => (operation === name ? evidence : []))
  const [last] = readsOf('ledger-end')
  const updates = readsOf('updates')
  const wrongEnd = last && unusableEnd(last)
  if (wrongEnd) return wrongEnd
  if (!last || updates.length === 0) return { code: 'ledger-unread' }
  const failed = [last, ...updates].find((one) => !isSuccess(one))
  if (failed) return { code: 'last-read-failed', ...failureOf(failed) }
  const pages = updates.map(pageOf)
  const cut = pages.find(({ isList }) => !isList)
  if (cut) return { code: 'last-read-failed', ...cutPageOf(cut.evidence) }
  const end = offsetIn(valueAt(answerOf(last)?.json, '/offset'))
  const misplaced = pages.flatMap(({ items }) => items).find((item) => offsetOf(item) === 0)
  if (misplaced !== undefined) return unusable('updates', valueAt(updateIn(misplaced), '/offset'))
  if (!byReader(pages).every((own) => areConsecutive(own, end))) return { code: 'update-pages-missing' }
  return {
    end,
    updates: updatesIn(pages, made),
    parties: new Set(pages.flatMap(({ parties }) => parties)),
    active: byReader(readsOf('active-contracts').map(pageOf)).flatMap(activeIn),
  }
}

/** The requests that follow would be malformed, and the target must not be blamed for their rejection. */
function unusableEnd(last: Evidence): Reason | undefined {
  const offset = valueAt(answerOf(last)?.json, '/offset')
  return isSuccess(last) && !isUsableOffset(offset) ? unusable('ledger-end', offset) : undefined
}

const unusable = (operation: string, offset: JsonValue | undefined): Reason => ({
  code: 'offset-unusable',
  operation,
  ...(offset !== undefined && { offset: excerpt(offset, 60) }),
})

function pageOf(evidence: Evidence): Page {
  const { url } = evidence.request
  const sent = sentJson(evidence)
  const answer = answerOf(evidence)?.json
  const limit = URL.canParse(url) ? new URL(url).searchParams.get('limit') : null
  return {
    evidence,
    sent,
    parties: partiesIn(sent),
    limit: Number(limit || Number.POSITIVE_INFINITY),
    isList: Array.isArray(answer),
    items: itemsAt(answer, ''),
  }
}

const byReader = (pages: readonly Page[]): Page[][] => [...groupBy(pages, ({ parties }) => parties.join()).values()]

interface FailedRequest {
  method: string
  path: string
  status?: number
  message?: string
}

export const failureOf = ({ request: { method, url }, response, problem }: Evidence): FailedRequest => ({
  method,
  path: URL.canParse(url) ? new URL(url).pathname : url,
  ...(response && { status: response.status }),
  ...(problem && { message: problem.message }),
})

/** Without its status, because the status states a success. */
function cutPageOf(evidence: Evidence): FailedRequest {
  const { method, path } = failureOf(evidence)
  return { method, path, message: 'its body is no complete JSON array' }
}

function partiesIn(sent: JsonValue | undefined): string[] {
  if (!isJsonObject(sent)) return []
  const found = sent['filtersByParty']
  return isJsonObject(found) ? Object.keys(found) : Object.values(sent).flatMap(partiesIn)
}

function areConsecutive(pages: readonly Page[], end: number): boolean {
  return pages.every(({ sent, items, limit }, index) => {
    const offsets = items.map(offsetOf)
    const begin = offsetIn(valueAt(sent, '/beginExclusive'))
    const isOrdered = offsets.every((offset, at) => offset > (offsets[at - 1] ?? begin) && offset <= end)
    const next = pages[index + 1]
    const isFollowed = next
      ? offsetIn(valueAt(next.sent, '/beginExclusive')) === offsets.at(-1)
      : offsets.length < limit || offsets.at(-1) === end
    return isOrdered && isFollowed && offsetIn(valueAt(sent, '/endInclusive')) === end
  })
}

function updatesIn(pages: readonly Page[], made: ReadonlySet<string>): Map<string, ShownUpdate> {
  const found = new Map<string, ShownUpdate>()
  for (const { parties, items } of pages) {
    const own = parties.filter((party) => made.has(party))
    for (const item of items) {
      const id = stringAt(updateIn(item), '/updateId') ?? ''
      const text = printJson(item)
      const isOwn = found.get(id)?.isOwn === true || own.some((party) => text.includes(party))
      found.set(id, { id, offset: offsetOf(item), item, text, isOwn })
    }
  }
  return found
}

/** Empty if a page was not read. */
function activeIn(pages: readonly Page[]): ActiveContracts[] {
  if (!pages.every(({ evidence }) => isSuccess(evidence))) return []
  const ids = pages.flatMap(({ items }) =>
    items.flatMap((item) => stringAt(item, '/contractEntry/JsActiveContract/createdEvent/contractId') ?? []),
  )
  const isWhole = pages.some(({ items, limit }) => items.length < limit)
  return [{ parties: new Set(pages.flatMap(({ parties }) => parties)), ids: new Set(ids), isWhole }]
}
