import type { Evidence, Judgement, RunRow } from '../record/record.js'
import { verdictMeaning } from '../record/verdict.js'
import { unmetJudgements } from './rows.js'
import { isSameExchange } from './step-words.js'

/** Why the row has its verdict, in one sentence; the verdict's meaning where the row does not say more. */
export function reasonOf(row: Pick<RunRow, 'verdict' | 'reason'>): string {
  const meaning = verdictMeaning[row.verdict]
  return row.reason ?? `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`
}

/** The exchange that shows the failure best: that of the weightiest unmet judgement, else the last request under test. */
export function tellingEvidence(row: { judgements: Judgement[]; evidence: Evidence[] }): Evidence | undefined {
  const [judgement] = unmetJudgements(row)
  return (
    row.evidence.find((exchange) => judgement && isSameExchange(exchange, judgement)) ??
    row.evidence.findLast(({ role }) => role === 'act') ??
    row.evidence.at(-1)
  )
}
