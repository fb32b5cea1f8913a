import { isDeepStrictEqual } from 'node:util'
import { lacksLateCheck } from '../../record/judgements/tally.js'
import type { RunRecord, RunRow } from '../../record/types/record.js'
import { reasonText } from '../../reports/wording/reason-words.js'
import { count } from '../../reports/wording/words.js'
import { judgeAgain } from '../../runner/judge/judge-again.js'
import { altered, type BundleFinding, idsInWords, unproven } from '../finding.js'

/** Accepts any record and never throws. */
export function checkVerdicts(record: RunRecord): BundleFinding[] {
  const again = new Map(judgeAgain(record).rows.map((row) => [row.id, row]))
  const hidden = new Map<string, string[]>()
  const found: BundleFinding[] = []
  for (const row of record.rows) {
    const judged = again.get(row.id)
    if (!judged) continue
    const why = hiddenReason(judged)
    if (row.evidence.length > 0 && why !== undefined) hidden.set(why, [...(hidden.get(why) ?? []), row.id])
    else if (row.evidence.length === 0 || judged.verdict !== row.verdict)
      found.push(...comparedVerdicts(row, judged, record))
    else found.push(...comparedReasons(row, judged))
  }
  const rows = (ids: readonly string[]): string => `${ids.length} of ${count(record.rows.length, 'verdict')}`
  const unchecked = record.rows.filter((row) => lacksLateCheck(row, record)).map(({ id }) => id)
  return [
    ...found,
    ...[...hidden].map(([why, ids]) => unproven(`${rows(ids)} ${why}: ${idsInWords(ids)}`)),
    ...(unchecked.length > 0
      ? [unproven(`${rows(unchecked)} lack the late-effects check of the ledger: ${idsInWords(unchecked)}`)]
      : []),
  ]
}

const hiddenReason = ({ verdict, reason }: RunRow): string | undefined =>
  verdict === 'blocked' && reason?.code === 'not-judged-again' ? reasonText(reason) : undefined

function comparedVerdicts(row: RunRow, again: RunRow, record: RunRecord): BundleFinding[] {
  const { id, verdict, evidence } = row
  if (evidence.length === 0)
    return verdict === 'not-applicable' || verdict === 'blocked' || verdict === 'error'
      ? []
      : [altered(`${id} is recorded as ${verdict}, without evidence`)]
  const what = `${id} is recorded as ${verdict}, but its evidence results in ${again.verdict}: ${again.reason ? reasonText(again.reason) : 'every expectation is met'}`
  return [isRunsOwn(row, again, record) ? unproven(what) : altered(what)]
}

function comparedReasons({ id, verdict, judgements, reason, verdictByText }: RunRow, again: RunRow): BundleFinding[] {
  // The run, not the evidence, determines these verdicts.
  if (verdict === 'blocked' || verdict === 'error') return []
  if (!isDeepStrictEqual(again.judgements, judgements))
    return [altered(`the recorded judgements of ${id} differ from its evidence`)]
  if (verdictByText !== undefined && again.verdictByText !== verdictByText)
    return [altered(`the recorded verdict of ${id} by the interface text differs from its evidence`)]
  return isDeepStrictEqual(again.reason, reason)
    ? []
    : [altered(`the recorded reason of ${id} differs from its evidence`)]
}

/** An outage or a fault of the program may determine the verdict. */
function isRunsOwn({ verdict, evidence }: RunRow, again: RunRow, { footer }: RunRecord): boolean {
  if (verdict !== 'blocked' && verdict !== 'error') return false
  if (again.verdict !== 'fail') return true
  const isUnanswered = evidence.some(({ problem, response }) => problem !== undefined || response?.status === 429)
  return verdict === 'blocked' && (isUnanswered || (footer?.outages ?? []).length > 0)
}
