/** Prints the conclusion and failures of a run, and writes its reports. */
import { dirname, join } from 'node:path'
import { print, printData } from '../../lib/print.js'
import { waiverFindings } from '../../record/judgements/waiver-findings.js'
import type { RunFooter, RunRecord } from '../../record/types/record.js'
import { compareRuns } from '../../reports/compare/compare-runs.js'
import { diffConsole } from '../../reports/compare/diff-console.js'
import { consoleSummary } from '../../reports/formats/console.js'
import { consoleFailures } from '../../reports/formats/console-failures.js'
import { conclude, tooFew } from '../../reports/summary/conclusion.js'
import { suggestedWaivers } from '../../reports/summary/suggest-waivers.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { inSuiteOrder } from '../../reports/wording/rows.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { isComplete } from './read-run.js'
import { recordNameOf } from './results-folder.js'
import { runReports, writeReports } from './write-reports.js'

interface ReportRunOptions {
  /** Print waiver entries for the failed rows. */
  suggests?: boolean
  /** An earlier run: only regressions against it fail this run. */
  baseline?: RunRecord | undefined
}

/** `folder`: of the run. Rejects with `UsageError`. */
export async function reportRun(
  written: RunRecord,
  recordFile: string,
  folder: string,
  color: boolean,
  { suggests = false, baseline }: ReportRunOptions = {},
): Promise<ExitCode> {
  // The order of all reports, sorted once.
  const record = { ...written, rows: inSuiteOrder(written.rows) }
  const ended = record.footer?.ended
  print(`${visibleLine(conclude(record).inWords)}\n`)
  if (ended) print(`${visibleLine(ended.sentence)}\n`)
  const failures = consoleFailures(withoutOutage(record), { color })
  if (failures !== '') print(failures)
  print(consoleSummary(record, { color }))
  if (suggests) printData(`\n${waiversFor(record)}`)
  const comparison = baseline && compareRuns(baseline, record)
  if (baseline && comparison) print(`\n${diffConsole(baseline, record, comparison, { color }).trimEnd()}`)
  const files = await writeReports(record, folder, runReports, baseline)
  const records = record.header.configurations?.map((_, index) => join(dirname(recordFile), recordNameOf(index + 1)))
  print(`\n${[...(records ?? [recordFile]), ...files].join('\n')}`)
  return comparison ? codeAgainst(record, comparison.regressions) : codeOf(record)
}

/** If the target stopped answering, prints only the rows that may have stopped it. */
function withoutOutage(record: RunRecord): RunRecord {
  if (record.footer?.ended?.cause !== 'target-gone') return record
  const rows = record.rows.filter(({ resolved, verdict }) => resolved.impact === 'hazard' && verdict !== 'blocked')
  return { ...record, rows }
}

function codeOf(record: RunRecord): ExitCode {
  const { footer } = record
  if (footer?.ended?.cause === 'target-gone') return exitCode.target
  if (footer?.ended?.cause === 'failed-enough') return exitCode.notConforming
  if (!isComplete(record)) return exitCode.incomplete
  if (footer && hasFailed(footer)) return exitCode.notConforming
  if (!isSufficient(record)) return exitCode.incomplete
  if (footer?.left || (footer && footer.counts['unexpected-pass'] > 0)) return exitCode.notConforming
  return conclude(record).conforming ? exitCode.conforming : exitCode.incomplete
}

/** With a baseline only regressions count, if the run is complete. */
function codeAgainst(record: RunRecord, regressions: number): ExitCode {
  if (record.footer?.ended || !isComplete(record)) return codeOf(record)
  return regressions > 0 ? exitCode.notConforming : isSufficient(record) ? exitCode.conforming : exitCode.incomplete
}

/** Whether the run judged enough rows, and its waivers need no correction. */
const isSufficient = (record: RunRecord): boolean =>
  tooFew(record.header, record.rows) === undefined &&
  (record.header.lenientWaivers === true || waiverFindings(record).length === 0)

const hasFailed = ({ counts }: RunFooter): boolean => counts.fail + counts.error > 0

/** Environment variables for the owner of waivers; in CI the user who started the job. */
const ownerVariables = ['GITHUB_ACTOR', 'GITLAB_USER_LOGIN', 'USER', 'USERNAME']

export function waiversFor(record: RunRecord): string {
  const owner =
    ownerVariables.map((name) => process.env[name]).find((value) => value !== undefined && value !== '') ?? 'unknown'
  return suggestedWaivers(record, owner, new Date()).trimEnd()
}
