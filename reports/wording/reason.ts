import type { Evidence, Judgement, RunRow } from '../../record/types/record.js'
import { verdictMeaning } from '../../record/types/verdict.js'
import { unmetJudgements } from './rows.js'
import { isSameExchange } from './terms.js'

/** The recorded reason, or the meaning of the verdict; with the frequency of a flaky verdict. */
export function reasonOf(row: Pick<RunRow, 'verdict' | 'reason' | 'repeated'>): string {
  const meaning = verdictMeaning[row.verdict]
  const reason = row.reason ?? `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`
  const flaky = flakinessOf(row)
  return flaky === undefined ? reason : `${reason} (${flaky})`
}

/** `By the interface text alone: pass.`; undefined for a row that was not judged by it. */
export const verdictByTextInWords = ({ verdictByText }: Pick<RunRow, 'verdictByText'>): string | undefined =>
  verdictByText && `By the interface text alone: ${verdictByText}.`

/** `flaky: fail 2 of 5 times, pass 3`; undefined if all verdicts were the same. */
function flakinessOf({ repeated = {} }: Pick<RunRow, 'repeated'>): string | undefined {
  const found = Object.entries(repeated)
  if (found.length < 2) return undefined
  const total = found.reduce((sum, [, times]) => sum + times, 0)
  const parts = found.map(([verdict, times], index) =>
    index === 0 ? `${verdict} ${times} of ${total} times` : `${verdict} ${times}`,
  )
  return `flaky: ${parts.join(', ')}`
}

/** The exchange of the worst unmet judgement, or of the last request under test. */
export function decisiveExchange(row: { judgements: Judgement[]; evidence: Evidence[] }): Evidence | undefined {
  const [judgement] = unmetJudgements(row)
  return (
    row.evidence.find((exchange) => judgement && isSameExchange(exchange, judgement)) ??
    row.evidence.findLast(({ role }) => role === 'act') ??
    row.evidence.at(-1)
  )
}
