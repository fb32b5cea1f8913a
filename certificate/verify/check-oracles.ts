import { isDeepStrictEqual } from 'node:util'
import type { OracleFinding, RunRecord } from '../../record/types/record.js'
import { judgeOracles } from '../../runner/oracles/judge-oracles.js'
import { altered, type BundleFinding, unproven } from '../finding.js'

/** Derives the findings again. `isSameTool`: false permits other wording. */
export function checkOracles({ header, rows, oracles }: RunRecord, isSameTool: boolean): BundleFinding[] {
  // A merged record has the findings of its parts, without the reads.
  if (header.merged) return []
  const { reads = [], findings = [] } = oracles ?? {}
  const again = judgeOracles(header, rows, reads)
  const isSame = isDeepStrictEqual(again, findings)
  if (!isSame && !isSameTool && isDeepStrictEqual(again.map(factsOf), findings.map(factsOf)))
    return [unproven('the findings about the reads of the ledger have other wording in this version')]
  if (!isSame) return [altered('the recorded findings about the reads of the ledger differ from these reads')]
  const isUnread = reads.length === 0 && rows.some((row) => row.evidence.some(({ role }) => role === 'late-check'))
  return isUnread ? [unproven('the record lacks the read of the ledger after the last row')] : []
}

const factsOf = ({ sentence: _, ...facts }: OracleFinding): object => facts
