import type { OtherExpectations, ResolvedRow } from '../../record/resolved-row.js'
import { withExpectations } from './by-another-profile.js'
import { judgeRow, type RowEvidence } from './judge-row.js'

/** A failure that another profile knows as a divergence, in words; undefined where none does. What was only read of others proves nothing. */
export function knownElsewhere(
  row: ResolvedRow,
  evidence: RowEvidence,
  otherwise: Readonly<Record<string, OtherExpectations>>,
): string | undefined {
  for (const [profile, expectations] of Object.entries(otherwise)) {
    const { verdict, judgements } = judgeRow(withExpectations(row, expectations), evidence)
    const named = judgements.filter(({ divergence }) => divergence !== undefined)
    if (verdict !== 'pass' || named.length === 0 || named.some(({ confidence }) => confidence === 'read')) continue
    const divergences = new Set(named.map(({ divergence }) => divergence))
    return `(known of ${profile}: ${[...divergences].join(', ')})`
  }
  return undefined
}
