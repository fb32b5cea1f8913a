import { print, printData } from '../../lib/print.js'
import { contradictions } from '../../record/judgements/oracle-findings.js'
import { isComplete } from '../../record/judgements/tally.js'
import { waiverFindings } from '../../record/judgements/waiver-findings.js'
import type { RunRecord } from '../../record/types/record.js'
import { comparedWith, diffConsole } from '../../reports/compare/diff-console.js'
import { consoleSummary } from '../../reports/formats/console.js'
import { consoleFailures } from '../../reports/formats/console-failures.js'
import { compareRuns, rowsOf } from '../../reports/summary/compare-runs.js'
import type { RunFacts } from '../../reports/summary/compared-run.js'
import { conclude, tooFew } from '../../reports/summary/conclusion.js'
import { factsOf } from '../../reports/summary/run-facts.js'
import { suggestedWaivers } from '../../reports/summary/suggest-waivers.js'
import { textTally } from '../../reports/summary/text-tally.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { inSuiteOrder } from '../../reports/wording/rows.js'
import { runEndText } from '../../reports/wording/run-text.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { partsOf } from './read-run.js'
import { runReports, writeReports } from './write-reports.js'

interface ReportRunOptions {
  suggests?: boolean
  /** An earlier run: only regressions against it fail. */
  baseline?: RunFacts | undefined
  /** The settings file, whose folder the record may hide. */
  settingsFile?: string | undefined
}

/** `folder`: of the run. Rejects with `UsageError`. */
export async function reportRun(
  written: RunRecord,
  recordFile: string,
  folder: string,
  color: boolean,
  { suggests = false, baseline, settingsFile }: ReportRunOptions = {},
): Promise<ExitCode> {
  const record = { ...written, rows: inSuiteOrder(written.rows) }
  const ended = record.footer?.ended
  const facts = factsOf(record)
  const comparison = baseline && compareRuns(baseline, facts)
  const isCompared = baseline && comparison && ended?.cause !== 'target-gone'
  const shown = withSettings(withoutOutage(record), settingsFile)
  const failing = isCompared ? { ...shown, rows: rowsOf(shown, comparison.newlyFailing) } : shown
  const failures = consoleFailures(failing, { color })
  if (isCompared) print(`${comparedWith(baseline, comparison, { color })}\n`)
  // The summary ends with the same sentence.
  else if (failures !== '') print(`${firstLines(record).map(visibleLine).join('\n')}\n`)
  const end = runEndText(record)
  if (end !== undefined) print(`${visibleLine(end)}\n`)
  if (failures !== '') print(failures)
  print(consoleSummary(record, { color }).trimEnd())
  if (suggests) printData(waiversFor(record))
  if (baseline && comparison) {
    // The failures above are the new ones.
    const changes = isCompared ? { ...comparison, newlyFailing: [] } : comparison
    print(`\n${diffConsole(baseline, facts, changes, { color }).trimEnd()}`)
  }
  const files = await writeReports(record, folder, runReports, baseline)
  print(`\n${[...(await partsOf(recordFile)), ...files].join('\n')}`)
  return runExitCode(record, comparison?.regressions)
}

function firstLines(record: RunRecord): string[] {
  const byText = textTally(record.rows, record.header)
  const { inWords, contradictions: unattributed } = conclude(record)
  return [`${inWords}${byText === undefined ? '' : `; ${byText}`}`, ...unattributed.map((sentence) => `! ${sentence}`)]
}

const withSettings = (record: RunRecord, settingsFile: string | undefined): RunRecord =>
  settingsFile !== undefined
    ? { ...record, header: { ...record.header, options: { ...record.header.options, settingsFile } } }
    : record

/** If the target stopped answering, prints only the rows that may have stopped it. */
function withoutOutage(record: RunRecord): RunRecord {
  if (record.footer?.ended?.cause !== 'target-gone') return record
  const rows = record.rows.filter(({ resolved, verdict }) => resolved.impact === 'hazard' && verdict !== 'blocked')
  return { ...record, rows }
}

/** Owner of suggested waivers; in CI the user who started the job. */
const ownerVariables = ['GITHUB_ACTOR', 'GITLAB_USER_LOGIN', 'USER', 'USERNAME']

export function waiversFor(record: RunRecord): string {
  const owner =
    ownerVariables.map((name) => process.env[name]).find((value) => value !== undefined && value !== '') ?? 'unknown'
  return suggestedWaivers(record, owner, new Date()).trimEnd()
}

/**
 * A failure outweighs the end of the run. `regressions`: with a baseline, only these rows count as failed.
 *
 * @internal
 */
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
