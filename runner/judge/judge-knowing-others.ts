import type { ResolvedRow } from '../../record/resolved-row.js'
import { judgeRow, type RowEvidence, type RowVerdict } from './judge-row.js'

/**
 * The verdict on a row; a failure that another profile knows as a divergence says so in its reason. `byOthers`: the row as the
 * other profiles have it, asked for only where it fails.
 */
export function judgeKnowingOthers(
  row: ResolvedRow,
  performed: RowEvidence,
  byOthers: () => Iterable<[profile: string, row: ResolvedRow]>,
): RowVerdict {
  const judged = judgeRow(row, performed)
  const known = judged.verdict === 'fail' ? knownElsewhere(byOthers(), performed) : undefined
  return known === undefined ? judged : { ...judged, reason: `${judged.reason ?? ''} ${known}`.trim() }
}

/** In words; undefined where no other profile knows of it. What was only read of others proves nothing. */
function knownElsewhere(
  byProfile: Iterable<[profile: string, row: ResolvedRow]>,
  performed: RowEvidence,
): string | undefined {
  for (const [profile, row] of byProfile) {
    const { verdict, judgements } = judgeRow(row, performed)
    const named = judgements.filter(({ divergence }) => divergence !== undefined)
    if (verdict !== 'pass' || named.length === 0 || named.some(({ confidence }) => confidence === 'read')) continue
    const divergences = new Set(named.map(({ divergence }) => divergence))
    return `(known of ${profile}: ${[...divergences].join(', ')})`
  }
  return undefined
}
