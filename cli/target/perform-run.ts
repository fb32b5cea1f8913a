import { join } from 'node:path'
import { pathForOthers } from '../../lib/files/paths.js'
import { inputBytes } from '../../lib/files/read-input.js'
import { openOutput, writeOutput } from '../../lib/files/write-output.js'
import { print, printMistake } from '../../lib/print.js'
import { withoutSuspects } from '../../lib/redaction/redaction.js'
import { leftOpen } from '../../record/judgements/examination.js'
import { combineRecords, expectCombinable, expectSameParticipant } from '../../record/merge/combine-records.js'
import type { RunRecord } from '../../record/types/record.js'
import { failedRunReports } from '../../reports/formats/failed-run.js'
import { defaultResults } from '../../reports/wording/shell.js'
import { NothingSelected } from '../../runner/plan/select.js'
import type { RunOptions } from '../../runner/preflight/run-options.js'
import { type RunObserver, run } from '../../runner/run/run.js'
import { EarlyEnd, EndedBeforeRows } from '../../runner/transport/early-end.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { errorText, explain } from '../console/failure.js'
import { endAfter, endBySignals } from '../console/interruption.js'
import { consoleOutput, limitingSettings } from '../console/run-output.js'
import { type RecordFile, recordOf } from '../output/read-run.js'
import { formOf, type RecordForm, recordNameOf } from '../output/record-names.js'
import { openResults, type ResultsFolder, settingsFileOf } from '../output/results-folder.js'
import { writeTexts } from '../output/write-reports.js'
import { toolIdentity } from '../tool/tool.js'
import type { Configuration } from './configurations.js'
import { openRunTarget } from './open-run-target.js'
import type { Flags } from './settings.js'
import { printSettings } from './settings-file.js'

interface RunHooks {
  /** The options of the call, for the settings file. */
  flags: Flags
  /** Before the first request of each configuration. */
  begin?(running: RunOptions): Promise<void>
  /** Completed configurations of a resumed run. */
  kept?: readonly RecordFile[]
  also?: readonly RecordFile[]
  report(record: RunRecord, recordFile: string, folder: string): Promise<ExitCode>
}

export type Configurations = readonly [Configuration, ...Configuration[]]

/**
 * Each later configuration runs only rows of rules that no earlier one examined, and rows that lacked a capability. Rejects with `UsageError`,
 * `ConfigurationsError`, and the errors of a run.
 */
export async function performRun(
  configurations: Configurations,
  { flags, begin, kept = [], also = [], report }: RunHooks,
): Promise<ExitCode> {
  const { out, maxTime, record: form } = configurations[0].settings.run
  const results = await openResults(out ?? defaultResults)
  const settings = printSettings(flags, process.env)
  const settingsFile = settingsFileOf(results.run)
  const called = settings === undefined ? {} : { settingsFile: pathForOthers(settingsFile) }
  const end = new EarlyEnd()
  const cleanups = [endBySignals(end), endAfter(maxTime ?? 15, end)]
  const recordFile = (number: number, own: RecordForm = form === 'plain' ? form : 'brotli'): string =>
    join(results.run, recordNameOf(number, own))
  const earlier = also.map(({ record }) => record)
  const perform = (one: Configuration, before: readonly RunRecord[], rules?: ReadonlySet<string>): Promise<RunRecord> =>
    runConfiguration(
      { ...one, options: { ...one.options, called: { ...one.options.called, ...called } } },
      { recordFile: recordFile(before.length + 1), results: results.path, end, rules },
      { begin, before: [...before, ...earlier], also: earlier },
    )
  try {
    if (settings !== undefined) await writeOutput(settingsFile, settings, 0o600)
    const records = kept.map(({ record }) => record)
    for (const [index, one] of kept.entries()) await copyRecord(one, recordFile(index + 1, formOf(one.file)))
    for (const one of configurations) {
      const rules = records.length === 0 ? undefined : leftOpen(combineRecords(records))
      if (end.decided || rules?.size === 0) break
      const performed = perform(one, records, rules).then((record) => [record])
      records.push(...(await (rules ? performed.catch(skipIdle) : performed)))
    }
    for (const [index, one] of also.entries())
      await copyRecord(one, recordFile(records.length + index + 1, formOf(one.file)))
    if (end.decided && records.length === 0) throw new EndedBeforeRows(end.decided)
    const code = await report(combineRecords([...records, ...earlier]), await recordOf(results.run), results.run)
    return code
  } catch (error) {
    await recordFailure(results, error)
    if (!(error instanceof EndedBeforeRows)) throw error
    printMistake(errorText(error))
    return error.why.cause === 'target-gone' ? exitCode.target : exitCode.incomplete
  } finally {
    for (const cleanup of cleanups) cleanup()
    await results.release()
  }
}

/** Byte by byte, so that digests stay valid. Rejects with `InputError` and `OutputError`. */
async function copyRecord({ file }: RecordFile, to: string): Promise<void> {
  const output = await openOutput(to)
  try {
    for await (const bytes of inputBytes(file, 'a run record')) await output.copy(bytes)
  } finally {
    await output.close()
  }
}

function skipIdle(error: unknown): RunRecord[] {
  if (!(error instanceof NothingSelected)) throw error
  print(`This configuration examines no further rules: ${error.message}\n`)
  return []
}

interface Shared {
  recordFile: string
  results: string
  end: EarlyEnd
  rules: ReadonlySet<string> | undefined
}

async function runConfiguration(
  { settings, simulator: embedded, options }: Configuration,
  shared: Shared,
  { begin, before, also }: { begin: RunHooks['begin'] } & Record<'before' | 'also', readonly RunRecord[]>,
): Promise<RunRecord> {
  const { target, access, simulator } = await openRunTarget(settings, embedded)
  try {
    const running = {
      ...options,
      ...shared,
      target,
      access,
      embedded: simulator !== undefined,
    }
    await begin?.(running)
    const output = consoleOutput()
    const limits = limitingSettings(settings)
    if (limits !== undefined) print(limits)
    const planned: RunObserver['planned'] = (summary) => {
      // Before any change on the target.
      for (const { header } of before) expectCombinable(header, summary.header)
      for (const { header } of also) expectSameParticipant(header, summary.header)
      output.observer.planned(summary)
    }
    return await run(running, { ...output.observer, planned }).finally(output.clear)
  } finally {
    await simulator?.close()
  }
}

/**
 * Writes reports of the failed run, so that older reports are not mistaken for its result. Removes the folder after
 * wrong usage. Prints an error of writing.
 */
async function recordFailure(results: ResultsFolder, error: unknown): Promise<void> {
  const { name, version } = toolIdentity()
  try {
    if (explain(error, false).code === exitCode.usage) return await results.discard()
    const message = withoutSuspects(errorText(error))
    await writeTexts(results.run, failedRunReports(`${name} ${version}`, message, new Date()))
  } catch (writeError) {
    printMistake(explain(writeError, false).text)
  }
}
