import { isDeepStrictEqual } from 'node:util'
import type { RunRecord } from '../../record/types/record.js'
import { judgeOracles } from '../../runner/oracles/judge-oracles.js'
import { altered, type BundleFinding, unproven } from '../finding.js'

/** Derives the findings again. */
export function checkOracles({ header, rows, oracles }: RunRecord): BundleFinding[] {
  // A merged record has the findings of its parts, without the reads.
  if (header.merged) return []
  const { reads = [], findings = [] } = oracles ?? {}
  const again = judgeOracles(header, rows, reads)
  if (!isDeepStrictEqual(again, findings))
    return [altered('the recorded findings about the reads of the ledger differ from these reads')]
  const isUnread = reads.length === 0 && rows.some((row) => row.evidence.some(({ role }) => role === 'late-check'))
  return isUnread ? [unproven('the record lacks the read of the ledger after the last row')] : []
}
