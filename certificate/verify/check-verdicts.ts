/** Judges rows again from their evidence. */
import { lacksLateCheck } from '../../record/late-check.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import { count } from '../../reports/wording/words.js'
import { judgeAgain } from '../../runner/judge/judge-again.js'
import { altered, type BundleFinding, idsInWords, unproven } from '../finding.js'

/** Uses the profile of the run. Throws nothing, for any record. */
export function checkVerdicts(record: RunRecord): BundleFinding[] {
  const again = new Map(judgeAgain(record, record.header.profile.name).rows.map((row) => [row.id, row]))
  const hidden = new Map<string, string[]>()
  const found: BundleFinding[] = []
  for (const row of record.rows) {
    const judged = again.get(row.id)
    if (!judged) continue
    const why = hiddenReason(judged)
    if (row.evidence.length > 0 && why !== undefined) hidden.set(why, [...(hidden.get(why) ?? []), row.id])
    else found.push(...compared(row, judged, record))
  }
  const rows = (ids: readonly string[]): string => `${ids.length} of ${count(record.rows.length, 'verdict')}`
  const unchecked = record.rows.filter(lacksLateCheck).map(({ id }) => id)
  return [
    ...found,
    ...[...hidden].map(([why, ids]) => unproven(`${rows(ids)} ${why}: ${idsInWords(ids)}`)),
    ...(unchecked.length > 0
      ? [unproven(`${rows(unchecked)} lack the late-effects check of the ledger: ${idsInWords(unchecked)}`)]
      : []),
  ]
}

/** Present if redaction or cut answers prevent judging. */
const hiddenReason = ({ verdict, reason }: RunRow): string | undefined =>
  verdict === 'blocked' && reason?.startsWith('cannot be judged again') ? reason : undefined

function compared(row: RunRow, again: RunRow, record: RunRecord): BundleFinding[] {
  const { id, verdict, evidence } = row
  if (evidence.length === 0)
    return verdict === 'not-applicable' || verdict === 'blocked' || verdict === 'error'
      ? []
      : [altered(`${id} is recorded as ${verdict}, without evidence`)]
  if (again.verdict !== verdict) {
    const what = `${id} is recorded as ${verdict}, but its evidence results in ${again.verdict}: ${again.reason ?? 'every expectation is met'}`
    return [isRunsOwn(row, again, record) ? unproven(what) : altered(what)]
  }
  // The run, not the evidence, determines reason and judgements of these verdicts.
  if (verdict === 'blocked' || verdict === 'error') return []
  if (JSON.stringify(again.judgements) !== JSON.stringify(row.judgements))
    return [altered(`the recorded judgements of ${id} differ from its evidence`)]
  return (again.reason ?? '') === (row.reason ?? '')
    ? []
    : [altered(`the recorded reason of ${id} differs from its evidence`)]
}

/** Whether the run may have determined the verdict: an outage, or a fault of the program. */
function isRunsOwn({ verdict, evidence }: RunRow, again: RunRow, { footer }: RunRecord): boolean {
  if (verdict !== 'blocked' && verdict !== 'error') return false
  if (again.verdict !== 'fail') return true
  const isUnanswered = evidence.some(({ problem, response }) => problem !== undefined || response?.status === 429)
  return verdict === 'blocked' && (isUnanswered || (footer?.outages ?? []).length > 0)
}
