import { countingJudgements, unmetVerdict } from '../../record/judgements/counting-judgements.js'
import type { RowLine } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { judgeRow, type RowEvidence, type RowVerdict } from './judge-row.js'

export type ExplainedVerdict = RowVerdict & Pick<RowLine, 'known' | 'otherVerdicts'>

/** `byOthers` is called only for a failure or a warning. */
export function judgeAcrossProfiles(
  row: ResolvedRow,
  performed: RowEvidence,
  byOthers: () => Iterable<[profile: string, row: ResolvedRow]>,
): ExplainedVerdict {
  const judged = judgeRow(row, performed)
  if (judged.verdict !== 'fail' && judged.verdict !== 'warning') return judged
  const others = [...byOthers()].map(([profile, other]) => ({ profile, ...judgeRow(other, performed) }))
  const otherVerdicts = Object.fromEntries(others.map(({ profile, verdict }) => [profile, verdict]))
  const explained = explain(row, judged, others)
  return others.length === 0 ? explained : { ...explained, otherVerdicts }
}

function explain(
  row: ResolvedRow,
  judged: RowVerdict,
  others: readonly (RowVerdict & { profile: string })[],
): ExplainedVerdict {
  const satisfied = others.filter(({ verdict }) => verdict === 'pass')
  const unshared = unsharedDivergences(row, judged)
  if (unshared.length > 0 && satisfied.some(isByTextAlone)) {
    const reason = `the participant follows the text and does not share ${unshared.join(', ')}: ${judged.reason ?? ''}`
    return { ...judged, verdict: 'follows-the-text', reason, known: unshared }
  }
  const known = judged.verdict === 'fail' ? findKnownDivergences(satisfied) : undefined
  if (!known) return judged
  const { profile, divergences } = known
  const reason = `${judged.reason ?? ''} (known divergence of ${profile}: ${divergences.join(', ')})`.trim()
  return { ...judged, reason, known: divergences }
}

type Satisfied = Pick<RowVerdict, 'judgements'> & { profile: string }

/** None if anything else is unmet. */
function unsharedDivergences(row: ResolvedRow, { judgements }: RowVerdict): string[] {
  const unmet = countingJudgements({ resolved: row, judgements }).filter(
    (one) => !one.met && unmetVerdict(one) !== 'not-applicable',
  )
  const named = unmet.map(({ divergence }) => divergence)
  return named.every((one) => one !== undefined) ? [...new Set(named)] : []
}

const isByTextAlone = ({ judgements }: Satisfied): boolean =>
  judgements.every(({ confidence }) => confidence === 'text')

/** Facts that were only read in a source prove nothing. */
function findKnownDivergences(satisfied: readonly Satisfied[]): { profile: string; divergences: string[] } | undefined {
  for (const { profile, judgements } of satisfied) {
    const named = judgements.filter(({ divergence }) => divergence !== undefined)
    if (named.length === 0 || named.some(({ confidence }) => confidence === 'read')) continue
    return { profile, divergences: [...new Set(named.flatMap(({ divergence }) => divergence ?? []))] }
  }
  return undefined
}
