/** `conform run`: the suite against a participant, or against the simulator that comes with the tool. */
import { join } from 'node:path'
import type { RunRecord } from '../record/record.js'
import { failedRunReports } from '../reports/failed-run.js'
import { usualResults } from '../reports/shell.js'
import { EarlyEnd, EndedBeforeRows } from '../runner/execute/early-end.js'
import { type EarlierRun, earlierRun } from '../runner/resume.js'
import { run } from '../runner/run.js'
import type { RunOptions } from '../runner/run-options.js'
import type { Settings } from '../runner/target/read-settings.js'
import { conformanceModel } from './conformance-model.js'
import { dryRun } from './dry-run.js'
import type { EmbeddedSimulator } from './embedded-simulator.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { endAfter, endBySignals } from './interruption.js'
import { openRunTarget } from './open-run-target.js'
import { readRun } from './read-run.js'
import { reportRun } from './report-run.js'
import { openResults, type ResultsFolder, recordName } from './results-folder.js'
import { resumedFlags } from './resumed-flags.js'
import { runOnConsole } from './run-console.js'
import { runOptionsOf } from './run-options-of.js'
import { dryRunSetting, jsonSetting, suggestSetting } from './run-settings.js'
import { type Flags, gatherSettings, isOn, resumeOf } from './settings.js'
import { toolIdentity } from './tool.js'
import { writeTexts } from './write-reports.js'

/** `color`: whether the console shows any. Throws `UsageError`, and what reading the settings and running throw. */
export async function runCommand(given: Flags, color: boolean): Promise<ExitCode> {
  const resumed = resumeOf(given, process.env)
  const resume = resumed === undefined ? undefined : earlierRun(await readRun(resumed))
  const flags = resume ? resumedFlags(given, resume.record.header) : given
  const settings = await gatherSettings(flags, process.env)
  const options = { ...(await runOptionsOf(settings)), ...failedOfResumed(resume) }
  if (isOn(dryRunSetting, given, process.env)) return dryRunOn(settings, options, isOn(jsonSetting, given, process.env))
  // Before the run: that it cannot be read must not show afterwards, and `latest` leads to this one then.
  const baseline = settings.run.baseline === undefined ? undefined : await readRun(settings.run.baseline)
  const suggests = isOn(suggestSetting, given, process.env)
  return performRun(
    settings,
    { ...options, ...(resume && { resume }) },
    { report: (record, recordFile, folder) => reportRun(record, recordFile, folder, color, { suggests, baseline }) },
  )
}

/** What a command does around a run. */
interface Around {
  /** Before anything is sent for the run. */
  begin?(running: RunOptions): Promise<void>
  /** Tells what came of it, in the folder of the run. */
  report(record: RunRecord, recordFile: string, folder: string): Promise<ExitCode>
}

/** A run in a folder of its own, from its target to its report. Throws `UsageError`, and what running throws. */
export async function performRun(
  settings: Settings,
  options: Omit<RunOptions, 'target' | 'embedded' | 'recordFile'>,
  { begin, report }: Around,
): Promise<ExitCode> {
  const results = await openResults(settings.run.out ?? usualResults)
  const end = new EarlyEnd()
  const forget = [endBySignals(end), endAfter(settings.run.maxTime ?? 15, end)]
  let simulator: EmbeddedSimulator | undefined
  try {
    const opened = await openRunTarget(settings)
    simulator = opened.simulator
    const recordFile = join(results.run, recordName)
    const running = {
      ...options,
      target: opened.target,
      embedded: simulator !== undefined,
      recordFile,
      results: results.path,
      end,
      model: conformanceModel,
    }
    await begin?.(running)
    const console = runOnConsole()
    const record = await run(running, console.observer).finally(console.clear)
    return await report(record, recordFile, results.run)
  } catch (error) {
    await leaveFailure(results, error)
    if (!(error instanceof EndedBeforeRows)) throw error
    console.error(error.message)
    return error.why.cause === 'target-gone' ? exitCode.target : exitCode.incomplete
  } finally {
    for (const one of forget) one()
    await simulator?.close()
    await results.release()
  }
}

/** Which rows had failed when the run was begun that is gone on with, its plan says. */
function failedOfResumed(resume: EarlierRun | undefined): Pick<RunOptions, 'failedOf'> {
  const run = resume?.record.header.selection?.failedOf
  return resume && run !== undefined
    ? { failedOf: { run, ids: new Set(resume.record.plan.map(({ row }) => row.id)) } }
    : {}
}

/** Nothing is written, so that there is no folder. */
async function dryRunOn(
  settings: Settings,
  options: Awaited<ReturnType<typeof runOptionsOf>>,
  asJson: boolean,
): Promise<ExitCode> {
  const { target, simulator } = await openRunTarget(settings)
  try {
    const results = settings.run.out ?? usualResults
    const told = { target, embedded: simulator !== undefined, recordFile: '', results, model: conformanceModel }
    return await dryRun({ ...options, ...told }, asJson)
  } finally {
    await simulator?.close()
  }
}

/**
 * Where nothing was run because of the call, there is nothing to be left; otherwise reports of yesterday must not be taken for
 * those of today. What keeps them from being written is told beside the error that they would tell.
 */
async function leaveFailure(results: ResultsFolder, error: unknown): Promise<void> {
  const { name, version } = toolIdentity()
  // It knows the errors of every command, and so nearly all that there is.
  const { explain } = await import('./failure.js')
  try {
    if (explain(error, false).code === exitCode.usage) return await results.discard()
    const message = error instanceof Error ? error.message : String(error)
    await writeTexts(results.run, failedRunReports(`${name} ${version}`, message, new Date()))
  } catch (other) {
    console.error(explain(other, false).text)
  }
}
