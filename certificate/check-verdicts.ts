import type { RunRecord, RunRow } from '../record/record.js'
import { count } from '../reports/words.js'
import { judgeAgain } from '../runner/judge-again.js'
import { altered, type BundleFinding, unproven } from './finding.js'

/** Judges every row again from its evidence, by the profile of the run. Throws nothing: whatever is in a record, it is told. */
export function checkVerdicts(record: RunRecord): BundleFinding[] {
  const again = new Map(judgeAgain(record, record.header.profile.name).rows.map((row) => [row.id, row]))
  const found = record.rows.flatMap((row) => {
    const judged = again.get(row.id)
    return judged ? compared(row, judged) : []
  })
  const unsent = record.rows.filter((row) => row.evidence.length === 0 && !needsEvidence(row)).length
  return unsent === 0
    ? found
    : [
        ...found,
        unproven(
          `${count(unsent, 'row')} of the plan ${unsent === 1 ? 'was' : 'were'} not sent, for the reasons that are recorded`,
        ),
      ]
}

const needsEvidence = (row: RunRow): boolean => row.verdict !== 'not-applicable' && row.verdict !== 'blocked'

function compared(row: RunRow, again: RunRow): BundleFinding[] {
  const { id, verdict, evidence } = row
  if (evidence.length === 0)
    return needsEvidence(row) && verdict !== 'error'
      ? [altered(`${id} is recorded as ${verdict}, without any evidence`)]
      : []
  // What was cut off or redacted cannot be judged by anybody but the run.
  const isHidden = again.verdict === 'blocked' && again.reason?.startsWith('cannot be judged again') === true
  if (isHidden) return [unproven(`${id}, recorded as ${verdict}, ${again.reason}`)]
  // What befell the run, and not the row: an outage, its end, or changes that could not be put back.
  if (verdict === 'blocked' || verdict === 'error') return []
  if (again.verdict !== verdict)
    return [
      altered(
        `${id} is recorded as ${verdict}, and its evidence gives ${again.verdict}: ${again.reason ?? 'all is met'}`,
      ),
    ]
  if (JSON.stringify(again.judgements) !== JSON.stringify(row.judgements))
    return [altered(`${id} is recorded with other judgements than its evidence gives`)]
  return (again.reason ?? '') === (row.reason ?? '')
    ? []
    : [altered(`${id} has another reason than its evidence gives`)]
}
