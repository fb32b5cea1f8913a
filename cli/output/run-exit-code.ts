import { contradictions } from '../../record/judgements/oracle-findings.js'
import { isComplete } from '../../record/judgements/tally.js'
import { waiverFindings } from '../../record/judgements/waiver-findings.js'
import type { RunRecord } from '../../record/types/record.js'
import { conclude, tooFew } from '../../reports/summary/conclusion.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'

/** A failure outweighs the end of the run. `regressions`: with a baseline, only these rows count as failed. */
export function runExitCode(record: RunRecord, regressions?: number): ExitCode {
  const { footer } = record
  if ((regressions ?? failuresIn(record)) > 0) return exitCode.notConforming
  if (footer?.ended?.cause === 'target-gone') return exitCode.target
  if (!isComplete(record) || !isSufficient(record)) return exitCode.incomplete
  if (regressions !== undefined) return exitCode.conforming
  if (footer?.left || (footer?.counts['unexpected-pass'] ?? 0) > 0) return exitCode.notConforming
  return conclude(record).conforming ? exitCode.conforming : exitCode.incomplete
}

/** Counts the rows, because an incomplete record may have no footer. */
const failuresIn = (record: RunRecord): number =>
  record.rows.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').length + contradictions(record).length

const isSufficient = (record: RunRecord): boolean =>
  tooFew(record.header, record.rows) === undefined &&
  (record.header.lenientWaivers === true || waiverFindings(record).length === 0)
