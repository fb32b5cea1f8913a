import { countingJudgements, unmetVerdict } from '../../record/judgements/counting-judgements.js'
import type { RunRow } from '../../record/types/record.js'
import type { OtherExpectations, ResolvedRow } from '../../record/types/resolved-row.js'
import { judgeRow, type RowEvidence, type RowVerdict } from './judge-row.js'
import { withExpectations } from './other-expectations.js'

export type ExplainedVerdict = RowVerdict & Pick<RunRow, 'known' | 'byText' | 'verdictByText'>

/**
 * The interface text alone also judges a failure, a warning, and a row with a recorded divergence. Any other pass is also a
 * pass by the text, because a profile is stricter elsewhere. `text`: its expectations; undefined if the profile is the
 * text, or if the text needs other requests.
 */
export function judgeWithText(
  row: ResolvedRow,
  performed: RowEvidence,
  text: () => OtherExpectations | undefined,
): ExplainedVerdict {
  const judged = judgeRow(row, performed)
  if (!isOpenByText(judged)) return judged
  const byText = text()
  if (!byText) return judged
  const { verdict: verdictByText, judgements } = judgeRow(withExpectations(row, byText), performed)
  const known = unsharedDivergences(row, judged)
  const followsText = verdictByText === 'pass' && judgements.every(({ confidence }) => confidence === 'text')
  if (known.length === 0 || !followsText) return { ...judged, byText, verdictByText }
  return { ...judged, verdict: 'follows-the-text', known, byText, verdictByText }
}

const isOpenByText = ({ verdict, judgements }: RowVerdict): boolean =>
  verdict === 'fail' || verdict === 'warning' || judgements.some(({ divergence }) => divergence !== undefined)

/** None if anything else is unmet. */
function unsharedDivergences(row: ResolvedRow, { judgements }: RowVerdict): string[] {
  const unmet = countingJudgements({ resolved: row, judgements }).filter(
    (one) => !one.met && unmetVerdict(one) !== 'not-applicable',
  )
  const named = unmet.map(({ divergence }) => divergence)
  return named.every((one) => one !== undefined) ? [...new Set(named)] : []
}
