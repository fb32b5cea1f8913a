import { countingJudgements } from '../../record/judgements/counting-judgements.js'
import { unmetVerdict } from '../../record/judgements/unmet-verdict.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { judgeRow, type RowEvidence, type RowVerdict } from './judge-row.js'

/** A verdict, with the divergences that explain it. */
export interface ExplainedVerdict extends RowVerdict {
  /** Ids of divergences by which another profile knows of the failure, or that the target does not share where it follows the text. */
  known?: string[]
}

/**
 * The verdict on a row. A failure that another profile knows as a divergence says so in its reason; a target that only fails to
 * share divergences, and does what the text alone asks for, follows the text. `byOthers`: the row as the other profiles have it,
 * asked for only where something was not met.
 */
export function judgeAcrossProfiles(
  row: ResolvedRow,
  performed: RowEvidence,
  byOthers: () => Iterable<[profile: string, row: ResolvedRow]>,
): ExplainedVerdict {
  const judged = judgeRow(row, performed)
  if (judged.verdict !== 'fail' && judged.verdict !== 'warning') return judged
  const satisfied = [...byOthers()]
    .map(([profile, other]) => ({ profile, ...judgeRow(other, performed) }))
    .filter(({ verdict }) => verdict === 'pass')
  const unshared = unsharedDivergences(row, judged)
  if (unshared.length > 0 && satisfied.some(isByTextAlone)) {
    const reason = `it does what the text says, and does not share ${unshared.join(', ')}: ${judged.reason ?? ''}`
    return { ...judged, verdict: 'follows-the-text', reason, known: unshared }
  }
  const known = judged.verdict === 'fail' ? knownElsewhere(satisfied) : undefined
  if (!known) return judged
  const { profile, divergences } = known
  const reason = `${judged.reason ?? ''} (known of ${profile}: ${divergences.join(', ')})`.trim()
  return { ...judged, reason, known: divergences }
}

type Satisfied = Pick<RowVerdict, 'judgements'> & { profile: string }

/** The divergences of the profile that the target does not share; none where something else was not met as well. */
function unsharedDivergences(row: ResolvedRow, { judgements }: RowVerdict): string[] {
  const unmet = countingJudgements({ resolved: row, judgements }).filter(
    (one) => !one.met && unmetVerdict(one) !== 'not-applicable',
  )
  const named = unmet.map(({ divergence }) => divergence)
  return named.every((one) => one !== undefined) ? [...new Set(named)] : []
}

/** Nothing that was judged is known from anywhere else. */
const isByTextAlone = ({ judgements }: Satisfied): boolean =>
  judgements.every(({ confidence }) => confidence === 'text')

/** Where another profile passes by divergences of its own; what was only read of others proves nothing. */
function knownElsewhere(satisfied: readonly Satisfied[]): { profile: string; divergences: string[] } | undefined {
  for (const { profile, judgements } of satisfied) {
    const named = judgements.filter(({ divergence }) => divergence !== undefined)
    if (named.length === 0 || named.some(({ confidence }) => confidence === 'read')) continue
    return { profile, divergences: [...new Set(named.flatMap(({ divergence }) => divergence ?? []))] }
  }
  return undefined
}
