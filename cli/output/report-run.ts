/** What a run that has ended tells: its failures, its conclusion, and where everything is. */
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
import { isWhole } from './read-run.js'
import { recordNameOf } from './results-folder.js'
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
  print(`${visibleLine(conclude(record).inWords)}\n`)
  if (ended) print(`${visibleLine(ended.sentence)}\n`)
  const failures = consoleFailures(told(record), { color })
  if (failures !== '') print(failures)
  print(consoleSummary(record, { color }))
  if (suggests) printData(`\n${waiversFor(record)}`)
  const found = baseline && compareRuns(baseline, record)
  if (baseline && found) print(`\n${diffConsole(baseline, record, found, { color }).trimEnd()}`)
  const files = await writeReports(record, folder, runReports, baseline)
  const records = record.header.configurations?.map((_, index) => join(dirname(recordFile), recordNameOf(index + 1)))
  print(`\n${[...(records ?? [recordFile]), ...files].join('\n')}`)
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
  if (footer?.left || (footer && footer.counts['unexpected-pass'] > 0)) return exitCode.notConforming
  return conclude(record).conforming ? exitCode.conforming : exitCode.incomplete
}

/** Against an earlier run only what is worse counts, unless this one does not tell enough. */
function codeAgainst(record: RunRecord, regressions: number): ExitCode {
  if (record.footer?.ended || !isWhole(record)) return codeOf(record)
  return regressions > 0 ? exitCode.notConforming : isInOrder(record) ? exitCode.conforming : exitCode.incomplete
}

/** Whether enough was judged, and the waivers need not be put right. */
const isInOrder = (record: RunRecord): boolean =>
  tooFew(record.header, record.rows) === undefined &&
  (record.header.lenientWaivers === true || waiverFindings(record).length === 0)

const hasFailed = ({ counts }: RunFooter): boolean => counts.fail + counts.error > 0

/** The user who started a job is a better guess than the account of the job. */
const names = ['GITHUB_ACTOR', 'GITLAB_USER_LOGIN', 'USER', 'USERNAME']

export function waiversFor(record: RunRecord): string {
  const owner =
    names.map((name) => process.env[name]).find((value) => value !== undefined && value !== '') ?? 'nobody yet'
  return suggestedWaivers(record, owner, new Date()).trimEnd()
}
