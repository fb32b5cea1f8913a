/** Facts that an oracle had to show in this run. Pure. */
import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence, OracleFinding, RunRow } from '../../record/types/record.js'
import { answerOf } from '../judge/answer.js'
import { isSuccess } from '../judge/sent-steps.js'
import { itemsAt } from '../template/pointer.js'
import { type ReconciledRun, unproven } from './reconciled-run.js'
import type { AcceptedRequest, MarkedRow } from './run-requests.js'

/**
 * The first control was accepted before the rows, the last one after them. Undefined if the updates show both. Their
 * `completionOffset` may differ from the offset of the update: no sentence relates them.
 */
export function updatesControl(run: ReconciledRun): OracleFinding | undefined {
  const { header, view, byMarker, relying, owed } = run
  const missing = owed.filter((one) => isMissing(one, run))
  const known = owed.filter(({ updateId }) => updateId !== undefined)
  const controls = known.filter(({ row }) => row === undefined)
  const [first] = missing.filter((one) => controls.includes(one) || missing.length === known.length)
  if (first) {
    return unproven('updates', missingUpdate(first, missing.length - 1), relying)
  }
  // Fixtures and rows have markers of the run or of presigned transactions. Without accepted requests, an empty list is correct.
  const isBlank = byMarker.size === 0 && ![...view.updates.values()].some(({ text }) => text.includes(`${header.run}-`))
  if (isBlank && known.length === 0 && owed.length > 0 && relying.length > 0)
    return unproven('updates', { code: 'updates-empty' }, relying)
  return undefined
}

/** `more`: number of further ones. */
export const missingUpdate = ({ operation, updateId = '' }: AcceptedRequest, more = 0): Reason => ({
  code: 'update-missing',
  operation,
  update: updateId,
  ...(more > 0 && { more }),
})

/** An answer with a wrong update id reports its transaction, too. Other expectations judge the id. */
export function isMissing(
  { updateId, row }: AcceptedRequest,
  { view, marked, byMarker, accepted }: ReconciledRun,
): boolean {
  if (updateId === undefined || view.updates.has(updateId)) return false
  const marker = marked.find((one) => one.row === row)?.marker
  const answered = new Set(accepted.flatMap((one) => one.updateId ?? []))
  return !(byMarker.get(marker ?? '') ?? []).some(({ id }) => !answered.has(id))
}

/**
 * Accepted requests have completions. The updates show which transactions the completions hide. Without proof, every row
 * that may read the list is blocked, as on a participant that lacks it: a dead list must not be worth more than none.
 * A row whose list shows its completions with a wrong content keeps its failure.
 */
export function completionControl(run: ReconciledRun): OracleFinding[] {
  const { rows, marked, byMarker, completions, accepted } = run
  const showing = rows.filter(
    (row) => row.evidence.some((one) => isList(row, one) && isSuccess(one)) && accepted.some((one) => one.row === row),
  )
  const wrong = new Set(marked.filter((one) => isShownWrong(one, byMarker)).map(({ row }) => row))
  const shown = new Set(completions.map(({ marker }) => marker))
  const hidden = marked.find(
    ({ row, marker }) =>
      showing.includes(row) &&
      unmetLists(row).length > 0 &&
      !wrong.has(row) &&
      !shown.has(marker) &&
      byMarker.has(marker),
  )
  const isBlank = completions.length === 0 && wrong.size === 0
  if (showing.length === 0 || (!isBlank && !hidden)) return []
  const reason: Reason =
    !isBlank && hidden ? { code: 'completion-missing', row: hidden.row.id } : { code: 'completions-empty' }
  const relying = rows.filter((row) => mayReadList(row) && !wrong.has(row))
  return [
    unproven(
      'completions',
      reason,
      relying.map(({ id }) => id),
    ),
  ]
}

/** A wrong completion may lack the marker, so the ids of the row's transactions identify it, too. */
function isShownWrong({ row, marker }: MarkedRow, byMarker: ReconciledRun['byMarker']): boolean {
  const ids = (byMarker.get(marker) ?? []).map(({ id }) => id).filter((id) => id !== '')
  const isOwn = (item: JsonValue): boolean => {
    const text = printJson(item)
    return [marker, ...ids].some((name) => text.includes(name))
  }
  const lists = unmetLists(row)
  return (
    lists.length > 0 &&
    lists.every((one) => itemsAt(answerOf(one)?.json, '').filter(isOwn).length >= Math.max(ids.length, 1))
  )
}

/** Lists of completions that do not meet an expectation. */
function unmetLists(row: RunRow): Evidence[] {
  const unmet = new Set(row.judgements.filter(({ met }) => !met).map(({ step }) => step))
  return row.evidence.filter((one) => unmet.has(one.step) && isList(row, one))
}

const mayReadList = ({ resolved }: RunRow): boolean =>
  resolved.steps.some(({ operation }) => operation === 'completions')

const isList = ({ resolved }: RunRow, { step }: Evidence): boolean => resolved.steps[step]?.operation === 'completions'
