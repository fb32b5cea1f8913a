/** What a run that has ended tells: its failures, its conclusion, and where everything is. */
import type { RunFooter, RunRecord } from '../record/record.js'
import { waiverFindings } from '../record/waiver-findings.js'
import { consoleSummary } from '../reports/console.js'
import { consoleFailures } from '../reports/console-failures.js'
import { visibleLine } from '../reports/hostile-text.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { isWhole, readRun } from './read-run.js'
import { waiversFor } from './suggested-waivers.js'
import { runReports, writeReports } from './write-reports.js'

/** Writes the reports into the folder of the run; `suggests`: prints waivers that would excuse what failed. Rejects with RecordError, UsageError. */
export async function reportRun(
  recordFile: string,
  folder: string,
  color: boolean,
  suggests = false,
): Promise<ExitCode> {
  const record = await readRun(recordFile)
  const ended = record.footer?.ended
  if (ended) console.log(`${visibleLine(ended.sentence)}\n`)
  const failures = consoleFailures(told(record), { color })
  if (failures !== '') console.log(failures)
  console.log(consoleSummary(record, { color }))
  if (suggests) console.log(`\n${waiversFor(record)}`)
  const written = await writeReports(record, folder, runReports)
  console.log(`\n${[recordFile, ...written].join('\n')}`)
  return codeOf(record)
}

/** That the target is gone comes before everything else that there is to say of it, but for what has stopped it. */
function told(record: RunRecord): RunRecord {
  if (record.footer?.ended?.cause !== 'target-gone') return record
  const rows = record.rows.filter(({ resolved, verdict }) => resolved.impact === 'hazard' && verdict !== 'blocked')
  return { ...record, rows }
}

function codeOf(record: RunRecord): ExitCode {
  const { footer, header } = record
  if (footer?.ended?.cause === 'target-gone') return exitCode.target
  if (!isWhole(record)) return exitCode.incomplete
  if (footer && hasFailed(footer)) return exitCode.notConforming
  if (!header.lenientWaivers && waiverFindings(record).length > 0) return exitCode.incomplete
  return footer?.conforming && !footer.left ? exitCode.conforming : exitCode.notConforming
}

const hasFailed = ({ counts }: RunFooter): boolean => counts.fail + counts.error + counts.blocked > 0
