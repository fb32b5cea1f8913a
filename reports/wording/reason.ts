import type { Evidence, Judgement, RunRow } from '../../record/types/record.js'
import { type Verdict, verdictMeaning } from '../../record/types/verdict.js'
import { unmetJudgements } from './rows.js'
import { isSameExchange } from './terms.js'
import { inSeries } from './words.js'

/** The recorded reason, or the meaning of the verdict; with the frequency of a flaky verdict. */
export function reasonOf(row: Pick<RunRow, 'verdict' | 'reason' | 'repeated'>): string {
  const meaning = verdictMeaning[row.verdict]
  const reason = row.reason ?? `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`
  const flaky = flakinessOf(row)
  return flaky === undefined ? reason : `${reason} (${flaky})`
}

const conclusions: Readonly<Partial<Record<Verdict, string>>> = {
  pass: 'passes',
  fail: 'fails',
  warning: 'results in a warning',
  'not-applicable': 'is not applicable',
  blocked: 'is blocked',
}

/** A forged record can contain any number. */
const mostProfiles = 10

/** `The row passes under interface, and fails under canton-3.4.`; undefined without other profiles. */
export function otherProfilesInWords({ otherVerdicts = {} }: Pick<RunRow, 'otherVerdicts'>): string | undefined {
  const all = Object.entries(otherVerdicts).slice(0, mostProfiles)
  if (all.length === 0) return undefined
  const parts = [...new Set(all.map(([, verdict]) => verdict))].map((verdict) => {
    const names = all.filter(([, other]) => other === verdict).map(([name]) => name)
    return `${conclusions[verdict] ?? `has the verdict ${verdict}`} under ${inSeries(names)}`
  })
  return `The row ${parts.join(', and ')}.`
}

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
