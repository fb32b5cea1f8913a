import type { ResolvedRow } from '../../record/resolved-row.js'
import { judgeRow, type RowEvidence } from './judge-row.js'

/**
 * A failure that another profile knows as a divergence, in words; undefined where none does. What was only read of others
 * proves nothing. `byProfile`: the row as the other profiles have it.
 */
export function knownElsewhere(
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
