/** What a run that has ended tells: its failures, its conclusion, and where everything is. */
import type { RunFooter, RunRecord } from '../record/record.js'
import { waiverFindings } from '../record/waiver-findings.js'
import { tooFew } from '../reports/conclusion.js'
import { consoleSummary } from '../reports/console.js'
import { consoleFailures } from '../reports/console-failures.js'
import { compareRuns } from '../reports/diff/compare-runs.js'
import { diffConsole } from '../reports/diff/diff-console.js'
import { visibleLine } from '../reports/hostile-text.js'
import { inSuiteOrder } from '../reports/rows.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { isWhole } from './read-run.js'
import { waiversFor } from './suggested-waivers.js'
import { runReports, writeReports } from './write-reports.js'

interface ReportRunOptions {
  /** Print waivers that would excuse what failed. */
  suggests?: boolean
  /** An earlier run: only what is worse now counts. */
  baseline?: RunRecord | undefined
}

/** Writes the reports into the folder of the run, whose record is in that file. Rejects with UsageError. */
export async function reportRun(
  written: RunRecord,
  recordFile: string,
  folder: string,
  color: boolean,
  { suggests = false, baseline }: ReportRunOptions = {},
): Promise<ExitCode> {
  // Every report has this order: what is in order is put in order soonest.
  const record = { ...written, rows: inSuiteOrder(written.rows) }
  const ended = record.footer?.ended
  if (ended) console.log(`${visibleLine(ended.sentence)}\n`)
  const failures = consoleFailures(told(record), { color })
  if (failures !== '') console.log(failures)
  console.log(consoleSummary(record, { color }))
  if (suggests) console.log(`\n${waiversFor(record)}`)
  const found = baseline && compareRuns(baseline, record)
  if (baseline && found) console.log(`\n${diffConsole(baseline, record, found, { color }).trimEnd()}`)
  const files = await writeReports(record, folder, runReports, baseline)
  console.log(`\n${[recordFile, ...files].join('\n')}`)
  return found ? codeAgainst(record, found.regressions) : codeOf(record)
}

/** That the target is gone comes before everything else that there is to say of it, but for what has stopped it. */
function told(record: RunRecord): RunRecord {
  if (record.footer?.ended?.cause !== 'target-gone') return record
  const rows = record.rows.filter(({ resolved, verdict }) => resolved.impact === 'hazard' && verdict !== 'blocked')
  return { ...record, rows }
}

function codeOf(record: RunRecord): ExitCode {
  const { footer } = record
  if (footer?.ended?.cause === 'target-gone') return exitCode.target
  if (footer?.ended?.cause === 'failed-enough') return exitCode.notConforming
  if (!isWhole(record)) return exitCode.incomplete
  if (footer && hasFailed(footer)) return exitCode.notConforming
  if (!isInOrder(record)) return exitCode.incomplete
  return footer?.conforming && !footer.left ? exitCode.conforming : exitCode.notConforming
}

/** Against an earlier run only what is worse counts, unless this one does not tell enough. */
function codeAgainst(record: RunRecord, regressions: number): ExitCode {
  const code = codeOf(record)
  if (code !== exitCode.notConforming && code !== exitCode.conforming) return code
  return regressions > 0 ? exitCode.notConforming : isInOrder(record) ? exitCode.conforming : exitCode.incomplete
}

/** Whether enough was judged, and the waivers need not be put right. */
const isInOrder = (record: RunRecord): boolean =>
  tooFew(record.header, record.rows) === undefined &&
  (record.header.lenientWaivers === true || waiverFindings(record).length === 0)

const hasFailed = ({ counts }: RunFooter): boolean => counts.fail + counts.error + counts.blocked > 0
