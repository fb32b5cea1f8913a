import type { Evidence, Judgement, RowResult } from '../../record/types/record.js'
import type { AppliedWaiver } from '../../record/types/recorded-options.js'
import { type Verdict, verdictMeaning } from '../../record/types/verdict.js'
import { reasonText } from './reason-words.js'
import { unmetJudgements } from './rows.js'
import { isSameExchange } from './terms.js'

/** The reason with its waiver and divergences, or the meaning of the verdict; with the frequency of a flaky verdict. */
export function reasonOf(row: RowResult): string {
  const { verdict, reason, waiver } = row
  const meaning = verdictMeaning[verdict]
  const own = reason ? byDivergence(reasonText(reason), row) : `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`
  const text = waiver ? withWaiver(own, verdict, waiver) : own
  const flaky = flakinessOf(row)
  return flaky === undefined ? text : `${text} (${flaky})`
}

function byDivergence(text: string, { known = [] }: RowResult): string {
  return known.length === 0 ? text : `the participant follows the text and does not share ${known.join(', ')}: ${text}`
}

function withWaiver(text: string, verdict: Verdict, waiver: AppliedWaiver): string {
  const { owner, until, reason, link, expired } = waiver
  if (expired) return `${text} (the waiver of ${owner} expired after ${until})`
  const waived = `waived by ${owner} until ${until} because ${reason}${link === undefined ? '' : ` (${link})`}`
  if (verdict === 'excused') return `${waived}: ${text}`
  return verdict === 'unexpected-pass' ? `${waived}, but the row did not fail` : text
}

/** `By the interface text alone: pass.`; undefined for a row that was not judged by it. */
export const verdictByTextInWords = ({ verdictByText }: { verdictByText?: Verdict }): string | undefined =>
  verdictByText && `By the interface text alone: ${verdictByText}.`

/** `flaky: fail 2 of 5 times, pass 3`; undefined if all verdicts were the same. */
function flakinessOf({ repeated = {} }: RowResult): string | undefined {
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
