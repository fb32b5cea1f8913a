/** Facts that an oracle had to show in this run. Pure. */
import type { OracleFinding, RunRow } from '../../record/types/record.js'
import { answerOf } from '../judge/answer.js'
import { isSuccess } from '../judge/sent-steps.js'
import { valueAt } from '../template/pointer.js'
import { type ReconciledRun, unproven } from './reconciled-run.js'
import { type AcceptedRequest, actingParties } from './run-requests.js'

/** The first control was accepted before the rows, the last one after them. Undefined if the updates show both. */
export function updatesControl(run: ReconciledRun): OracleFinding | undefined {
  const { header, view, control, byMarker, relying } = run
  const owed = owedRequests(run)
  const missing = owed.filter((one) => isMissing(one, run))
  const known = owed.filter(({ updateId }) => updateId !== undefined)
  const controls = known.filter(({ row }) => row === undefined)
  const [first] = missing.filter((one) => controls.includes(one) || missing.length === known.length)
  if (first) {
    const more = missing.length > 1 ? `, nor ${missing.length - 1} more` : ''
    const sentence = `POST /v2/updates did not show transaction ${first.updateId}, which ${first.operation} accepted${more}`
    return unproven('updates', sentence, relying)
  }
  // Fixtures and rows have markers of the run or of presigned transactions. Without accepted requests, an empty list is correct.
  const isBlank = byMarker.size === 0 && ![...view.updates.values()].some(({ text }) => text.includes(`${header.run}-`))
  if (isBlank && known.length === 0 && owed.length > 0 && relying.length > 0)
    return unproven('updates', 'POST /v2/updates showed no transaction of this run', relying)
  const stated = control && valueAt(answerOf(control.evidence)?.json, '/completionOffset')
  const shown = view.updates.get(control?.updateId ?? '')?.offset
  if (stated === undefined || shown === undefined || Number(stated) === shown) return undefined
  const sentence = `submit-and-wait reported offset ${Number(stated)} for transaction ${control?.updateId}, but POST /v2/updates shows offset ${shown}`
  return unproven('updates', sentence, relying)
}

/** The reads show the updates of an acting party. */
export const owedRequests = ({ accepted, control, view }: ReconciledRun): AcceptedRequest[] =>
  [...accepted, ...(control ? [control] : [])].filter(({ evidence }) =>
    actingParties(evidence).some((party) => view.parties.has(party)),
  )

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

/** Accepted requests have completions. The updates show which transactions the completions hide. */
export function completionControl({ rows, marked, byMarker, completions, accepted }: ReconciledRun): OracleFinding[] {
  const relying = rows.filter(
    (row) => accepted.some((one) => one.row === row) && row.evidence.some((one) => isList(row, one)),
  )
  const shown = new Set(completions.map(({ marker }) => marker))
  const hidden = marked.find(
    ({ row, marker }) => relying.includes(row) && lacksCompletion(row) && !shown.has(marker) && byMarker.has(marker),
  )
  const cause =
    completions.length === 0
      ? 'POST /v2/commands/completions showed no completion of this run'
      : `POST /v2/commands/completions did not show the completion of ${hidden?.row.id}, whose transaction POST /v2/updates shows`
  const isProven = relying.length === 0 || (completions.length > 0 && !hidden)
  return isProven
    ? []
    : [
        unproven(
          'completions',
          cause,
          relying.map(({ id }) => id),
        ),
      ]
}

const lacksCompletion = ({ judgements, resolved }: RunRow): boolean =>
  judgements.some(({ met, step }) => !met && resolved.steps[step]?.operation === 'completions')

const isList = ({ resolved }: RunRow, one: RunRow['evidence'][number]): boolean =>
  resolved.steps[one.step]?.operation === 'completions' && isSuccess(one)
