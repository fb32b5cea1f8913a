import type { Evidence, Judgement, RunRow } from '../../record/types/record.js'
import { verdictMeaning } from '../../record/types/verdict.js'
import { unmetJudgements } from './rows.js'
import { isSameExchange } from './step-words.js'

/** Why the row has its verdict, in one sentence; the verdict's meaning where the row does not say more. What does not always come about says how often it does. */
export function reasonOf(row: Pick<RunRow, 'verdict' | 'reason' | 'repeated'>): string {
  const meaning = verdictMeaning[row.verdict]
  const told = row.reason ?? `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`
  const flaky = flakinessOf(row)
  return flaky === undefined ? told : `${told} (${flaky})`
}

/** `flaky: fail 2 of 5 times, pass 3`; undefined where the row was sent once, or always came to the same. */
function flakinessOf({ repeated = {} }: Pick<RunRow, 'repeated'>): string | undefined {
  const found = Object.entries(repeated)
  if (found.length < 2) return undefined
  const total = found.reduce((sum, [, times]) => sum + times, 0)
  const told = found.map(([verdict, times], index) =>
    index === 0 ? `${verdict} ${times} of ${total} times` : `${verdict} ${times}`,
  )
  return `flaky: ${told.join(', ')}`
}

/** The exchange that shows the failure best: that of the weightiest unmet judgement, else the last request under test. */
export function decisiveExchange(row: { judgements: Judgement[]; evidence: Evidence[] }): Evidence | undefined {
  const [judgement] = unmetJudgements(row)
  return (
    row.evidence.find((exchange) => judgement && isSameExchange(exchange, judgement)) ??
    row.evidence.findLast(({ role }) => role === 'act') ??
    row.evidence.at(-1)
  )
}
