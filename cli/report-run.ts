/** What a run that has ended tells: its failures, its conclusion, and where everything is. */
import type { RunRecord, RunRow } from '../record/record.js'
import { consoleSummary } from '../reports/console.js'
import { failureText } from '../reports/failure-text.js'
import { visibleLine } from '../reports/hostile-text.js'
import { isFailure } from '../reports/rows.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { isWhole, readRun } from './read-run.js'
import { runReports, writeReports } from './write-reports.js'

/** Failures that are told in full on the console; a broken target can have hundreds. */
const mostShown = 20

/** Writes the reports into the folder of the run. Rejects with RecordError, UsageError. */
export async function reportRun(recordFile: string, folder: string, color: boolean): Promise<ExitCode> {
  const record = await readRun(recordFile)
  const ended = record.footer?.ended
  if (ended) console.log(`${visibleLine(ended.sentence)}\n`)
  const failures = toldInFull(record)
  for (const row of failures.slice(0, mostShown)) console.log(`${failureText(row, record.header, { color })}\n`)
  if (failures.length > mostShown) console.log(`... and ${failures.length - mostShown} more, all in the reports\n`)
  console.log(consoleSummary(record, { color }))
  const written = await writeReports(record, folder, runReports)
  console.log(`\n${[recordFile, ...written].join('\n')}`)
  return codeOf(record)
}

/** What is blocked has a cause that the summary tells once. */
function toldInFull({ rows, footer }: RunRecord): RunRow[] {
  const failures = rows.filter((row) => isFailure(row) && row.verdict !== 'blocked')
  // That the target is gone comes before everything else that there is to say of it, but for what has stopped it.
  if (footer?.ended?.cause === 'target-gone') return failures.filter(({ resolved }) => resolved.impact === 'hazard')
  return failures
}

function codeOf(record: RunRecord): ExitCode {
  const { footer } = record
  if (footer?.ended?.cause === 'target-gone') return exitCode.target
  if (!isWhole(record)) return exitCode.incomplete
  return footer?.conforming && !footer.left ? exitCode.conforming : exitCode.notConforming
}
