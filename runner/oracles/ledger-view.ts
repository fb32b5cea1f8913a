/** What the last reads show. Pure. */

import { groupBy } from '../../lib/group-by.js'
import { isJsonObject, type JsonValue, printJson } from '../../lib/json/json.js'
import type { Reason, ReasonOf } from '../../record/types/reason.js'
import type { Evidence, RecordedRead } from '../../record/types/record.js'
import { offsetIn } from '../execute/completions-watch.js'
import { answerOf, sentJson } from '../judge/answer.js'
import { isSuccess } from '../judge/sent-steps.js'
import { itemsAt, stringAt, valueAt } from '../template/pointer.js'
import { offsetOf, updateIn } from './update-pages.js'

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

/** `made`: parties that the run created. Returns the reason if the reads of updates are incomplete. */
export function ledgerViewOf(reads: readonly RecordedRead[], made: ReadonlySet<string>): LedgerView | Reason {
  const readsOf = (name: string): Evidence[] =>
    reads.flatMap(({ operation, evidence }) => (operation === name ? evidence : []))
  const [last] = readsOf('ledger-end')
  const pages = readsOf('updates')
  if (!last || pages.length === 0) return { code: 'ledger-unread' }
  const failed = [last, ...pages].find((one) => !isSuccess(one))
  if (failed) return { code: 'last-read-failed', ...failureOf(failed) }
  const end = offsetIn(valueAt(answerOf(last)?.json, '/offset'))
  const readers = [...groupBy(pages, (page) => partiesIn(page).join()).values()]
  if (!readers.every((own) => areConsecutive(own, end))) return { code: 'update-pages-missing' }
  return {
    end,
    updates: updatesIn(pages, made),
    parties: new Set(pages.flatMap(partiesIn)),
    active: [...groupBy(readsOf('active-contracts'), (page) => partiesIn(page).join()).values()].flatMap(activeIn),
  }
}

type FailedRequest = Omit<ReasonOf<'last-read-failed'>, 'code'>

export const failureOf = ({ request: { method, url }, response, problem }: Evidence): FailedRequest => ({
  method,
  path: URL.canParse(url) ? new URL(url).pathname : url,
  ...(response && { status: response.status }),
  ...(problem && { message: problem.message }),
})

const limitOf = ({ request: { url } }: Evidence): number =>
  Number((URL.canParse(url) && new URL(url).searchParams.get('limit')) || Number.POSITIVE_INFINITY)

/** The parties that the request names, in its order. */
const partiesIn = (page: Evidence): string[] => filterIn(sentJson(page))

function filterIn(body: JsonValue | undefined): string[] {
  if (!isJsonObject(body)) return []
  const found = body['filtersByParty']
  return isJsonObject(found) ? Object.keys(found) : Object.values(body).flatMap(filterIn)
}

function areConsecutive(pages: readonly Evidence[], end: number): boolean {
  return pages.every((page, index) => {
    const sent = sentJson(page)
    const offsets = itemsAt(answerOf(page)?.json, '').map(offsetOf)
    const begin = offsetIn(valueAt(sent, '/beginExclusive'))
    const isOrdered = offsets.every((offset, at) => offset > (offsets[at - 1] ?? begin) && offset <= end)
    const next = pages[index + 1]
    const isFollowed = next
      ? offsetIn(valueAt(sentJson(next), '/beginExclusive')) === offsets.at(-1)
      : offsets.length < limitOf(page) || offsets.at(-1) === end
    return isOrdered && isFollowed && offsetIn(valueAt(sent, '/endInclusive')) === end
  })
}

function updatesIn(pages: readonly Evidence[], made: ReadonlySet<string>): Map<string, ShownUpdate> {
  const found = new Map<string, ShownUpdate>()
  for (const page of pages) {
    const own = partiesIn(page).filter((party) => made.has(party))
    for (const item of itemsAt(answerOf(page)?.json, '')) {
      const id = stringAt(updateIn(item), '/updateId') ?? ''
      const text = printJson(item)
      const isOwn = found.get(id)?.isOwn === true || own.some((party) => text.includes(party))
      found.set(id, { id, offset: offsetOf(item), item, text, isOwn })
    }
  }
  return found
}

/** Empty if a page was not read. */
function activeIn(pages: readonly Evidence[]): ActiveContracts[] {
  const lists = pages.map((page) => itemsAt(answerOf(page)?.json, ''))
  const items = lists.flat()
  const ids = items.flatMap((item) => stringAt(item, '/contractEntry/JsActiveContract/createdEvent/contractId') ?? [])
  const isWhole = pages.some((page, index) => (lists[index]?.length ?? 0) < limitOf(page))
  return pages.every(isSuccess) ? [{ parties: new Set(pages.flatMap(partiesIn)), ids: new Set(ids), isWhole }] : []
}
