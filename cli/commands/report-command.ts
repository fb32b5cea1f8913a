import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { certificateName } from '../../certificate/bundle.js'
import { OutputError } from '../../lib/files/file-errors.js'
import { appendOutput } from '../../lib/files/write-output.js'
import { print, printData, printMistake, withDataOnly } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import { isComplete } from '../../record/judgements/tally.js'
import { combineRecords } from '../../record/merge/combine-records.js'
import type { RunRecord } from '../../record/types/record.js'
import { comparedWith, diffConsole } from '../../reports/compare/diff-console.js'
import { consoleSummary } from '../../reports/formats/console.js'
import { consoleFailures } from '../../reports/formats/console-failures.js'
import { githubAnnotations } from '../../reports/formats/github.js'
import { markdownReport } from '../../reports/formats/markdown.js'
import { shownRow } from '../../reports/formats/page-data.js'
import { compareRuns, rowsOf } from '../../reports/summary/compare-runs.js'
import type { ComparedRun, RunFacts } from '../../reports/summary/compared-run.js'
import { factsOf } from '../../reports/summary/run-facts.js'
import { judgeAgain } from '../../runner/judge/judge-again.js'
import { judgeBy } from '../../runner/run/expectations-by.js'
import { quotedHeader, readPassages } from '../../runner/text/passages.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { chooseFormats, type ReportChoice, reportChoices, reportFormats } from '../output/formats.js'
import { isRecordOf, readParts, recordOf } from '../output/read-run.js'
import { waiversFor } from '../output/report-run.js'
import { readFacts } from '../output/run-facts.js'
import { writeReports } from '../output/write-reports.js'
import { loadWithProfile } from '../target/profile-of.js'

export interface ReportFlags {
  format: string[]
  out?: string
  baseline?: string
  profile?: string
  suite?: string
  text?: string
  suggestWaivers?: boolean
  color: boolean
}

/** A run that did not conform exits with 0. Rejects with `UsageError`. */
export async function reportCommand(run: string, flags: ReportFlags): Promise<ExitCode> {
  const chosen = chooseFormats(flags.format, reportChoices)
  const isForGithub = chosen.includes('github')
  if (isForGithub && flags.suggestWaivers)
    throw new UsageError('format: github and --suggest-waivers both need standard output; call report twice')
  const write = (): Promise<ExitCode> => writeAll(run, flags, chosen)
  return isForGithub || flags.suggestWaivers ? withDataOnly(write) : write()
}

async function writeAll(run: string, flags: ReportFlags, chosen: readonly ReportChoice[]): Promise<ExitCode> {
  const { profile, color } = flags
  // Only whole exchanges can be judged again.
  const parts = await readParts(run, profile === undefined ? { keep: shownRow } : {})
  // Each configuration has its own profile facts.
  const combined = combineRecords(profile === undefined ? parts : await judgedAgain(parts, profile, flags.suite))
  const record = await quotedRecord(combined, flags.text)
  const baseline = flags.baseline === undefined ? undefined : await readFacts(flags.baseline)
  const formats = chosen.includes('all') ? reportFormats : reportFormats.filter((format) => chosen.includes(format))
  const folder = flags.out ?? dirname(await recordOf(run))
  if (flags.out === undefined && formats.length > 0 && existsSync(join(folder, certificateName)))
    throw new UsageError(`out: the certificate in ${folder} names its reports; choose another folder with --out`)
  const written = await writeReports(record, folder, formats, baseline)
  // The annotations replace the printed failures.
  if (chosen.includes('github')) await reportToGithub(run, record, baseline, process.env)
  else printText(record, baseline, color)
  if (written.length > 0) print(written.join('\n'))
  if (flags.suggestWaivers) printData(waiversFor(record))
  return isComplete(record) ? exitCode.conforming : exitCode.incomplete
}

/** By a profile of the suite, or by the profile of the run, which may be a file that is not given. */
async function judgedAgain(
  parts: readonly RunRecord[],
  name: string,
  folder: string | undefined,
): Promise<RunRecord[]> {
  if (parts.every(({ header }) => header.profile.name === name)) return parts.map((part) => judgeAgain(part))
  const { suite, profile } = await loadWithProfile({ suite: folder, profile: name })
  const other = parts.find(({ header }) => header.suite.digest !== suite.digest)
  if (other) {
    const { run, suite: used } = other.header
    throw new UsageError(
      `suite: the run ${run} used another suite (version ${used.version}, digest ${used.digest.slice(0, 12)}). Name its folder with --suite.`,
    )
  }
  return parts.map((part) => judgeBy(part, profile, suite))
}

async function quotedRecord(record: RunRecord, file: string | undefined): Promise<RunRecord> {
  if (file === undefined) return record
  const { header } = record
  return { ...record, header: quotedHeader(header, await readPassages(file, header.text)) }
}

function printText(record: RunRecord, baseline: RunFacts | undefined, color: boolean): void {
  const comparison = baseline && compareRuns(baseline, factsOf(record))
  if (comparison) print(`${comparedWith(baseline, comparison, { color })}\n`)
  const failing = comparison ? { ...record, rows: rowsOf(record, comparison.newlyFailing) } : record
  const failures = consoleFailures(failing, { color })
  if (failures !== '') print(failures)
  print(consoleSummary(record, { color }))
  // The failures above are the new ones.
  const changes = comparison && { ...comparison, newlyFailing: [] }
  if (changes) print(`\n${diffConsole(baseline, factsOf(record), changes, { color }).trimEnd()}`)
}

const summaryVariable = 'GITHUB_STEP_SUMMARY'

/** Prints the annotations, and appends the summary to the file of the step. Prints an error of writing; the exit code does not change. */
async function reportToGithub(
  run: string,
  record: RunRecord,
  baseline: ComparedRun | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const annotations = githubAnnotations(record, baseline)
  if (annotations !== '') printData(annotations)
  const file = environment[summaryVariable] ?? ''
  if (file === '') return
  try {
    if (await isRecordOf(file, [run])) throw new OutputError(file, 'it is the run record; name another file')
    await appendOutput(file, markdownReport(record, baseline))
  } catch (error) {
    if (!(error instanceof OutputError)) throw error
    printMistake(`${summaryVariable}: ${error.message}; the step has no summary`)
  }
}
