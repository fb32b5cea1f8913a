import { lacksLateCheck } from '../../record/late-check.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import { count } from '../../reports/wording/words.js'
import { judgeAgain } from '../../runner/judge/judge-again.js'
import { altered, type BundleFinding, idsInWords, unproven } from '../finding.js'

/**
 * Judges every row again from its evidence, by the profile of the run, and counts the verdicts that the evidence does not prove.
 * Throws nothing, whatever the record contains.
 */
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

/** Why the verdict cannot follow from the record: it is redacted or cut. */
const hiddenReason = ({ verdict, reason }: RunRow): string | undefined =>
  verdict === 'blocked' && reason?.startsWith('cannot be judged again') ? reason : undefined

function compared(row: RunRow, again: RunRow, record: RunRecord): BundleFinding[] {
  const { id, verdict, evidence } = row
  if (evidence.length === 0)
    return verdict === 'not-applicable' || verdict === 'blocked' || verdict === 'error'
      ? []
      : [altered(`${id} is recorded as ${verdict}, without any evidence`)]
  if (again.verdict !== verdict) {
    const what = `${id} is recorded as ${verdict}, and its evidence gives ${again.verdict}: ${again.reason ?? 'all is met'}`
    return [isRunsOwn(row, again, record) ? unproven(what) : altered(what)]
  }
  // The run, and not the evidence, gives the reason and the judgements of these.
  if (verdict === 'blocked' || verdict === 'error') return []
  if (JSON.stringify(again.judgements) !== JSON.stringify(row.judgements))
    return [altered(`${id} is recorded with other judgements than its evidence gives`)]
  return (again.reason ?? '') === (row.reason ?? '')
    ? []
    : [altered(`${id} has another reason than its evidence gives`)]
}

/** Whether the run itself may have given the verdict: an outage blocks a row, and so does a fault of the program. */
function isRunsOwn({ verdict, evidence }: RunRow, again: RunRow, { footer }: RunRecord): boolean {
  if (verdict !== 'blocked' && verdict !== 'error') return false
  if (again.verdict !== 'fail') return true
  const isUnanswered = evidence.some(({ problem, response }) => problem !== undefined || response?.status === 429)
  return verdict === 'blocked' && (isUnanswered || (footer?.outages ?? []).length > 0)
}
