/** A run in a folder of its own, in one configuration of the participant after the other, from the first target to the report. */
import { join } from 'node:path'
import { print, printError, printMistake, statusLine } from '../../lib/print.js'
import { withoutSuspects } from '../../lib/redaction/secrets.js'
import { openRules } from '../../record/judgements/examination.js'
import { combineRecords, expectCombinable } from '../../record/merge/combine-records.js'
import type { RunRecord } from '../../record/types/record.js'
import { failedRunReports } from '../../reports/formats/failed-run.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { defaultResults } from '../../reports/wording/shell.js'
import { NothingSelected } from '../../runner/plan/select.js'
import type { RunOptions } from '../../runner/preflight/run-options.js'
import { type RunObserver, run } from '../../runner/run/run.js'
import { EarlyEnd, EndedBeforeRows } from '../../runner/transport/early-end.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { endAfter, endBySignals } from '../console/interruption.js'
import { createProgress } from '../console/progress.js'
import { type AlsoRun, copyRecord } from '../output/also-runs.js'
import { openResults, type ResultsFolder, recordNameOf } from '../output/results-folder.js'
import { writeTexts } from '../output/write-reports.js'
import { toolIdentity } from '../tool/tool.js'
import type { Configuration } from './configurations.js'
import { conformanceModel } from './conformance-model.js'
import { openRunTarget } from './open-run-target.js'

/** What a command does around a run. */
interface Around {
  /** Before anything is sent for the run. */
  begin?(running: RunOptions): Promise<void>
  /** Configurations of a resumed run that completed: they come first, and are not run again. */
  kept?: readonly AlsoRun[]
  /** Earlier runs that count as well. */
  also?: readonly AlsoRun[]
  /** Tells what came of it, in the folder of the run. */
  report(record: RunRecord, recordFile: string, folder: string): Promise<ExitCode>
}

export type Configurations = readonly [Configuration, ...Configuration[]]

/**
 * Every configuration after the first one runs the rows of rules that those before it have not examined. Throws `UsageError`,
 * `ConfigurationsError`, and what running throws.
 */
export async function performRun(
  configurations: Configurations,
  { begin, kept = [], also = [], report }: Around,
): Promise<ExitCode> {
  const { run: said } = configurations[0].settings
  const results = await openResults(said.out ?? defaultResults)
  const end = new EarlyEnd()
  const forget = [endBySignals(end), endAfter(said.maxTime ?? 15, end)]
  const recordFile = (number: number): string => join(results.run, recordNameOf(number))
  const earlier = also.map(({ record }) => record)
  const perform = (one: Configuration, before: readonly RunRecord[], rules?: ReadonlySet<string>): Promise<RunRecord> =>
    runConfiguration(
      one,
      { recordFile: recordFile(before.length + 1), results: results.path, end, rules },
      { begin, before: [...before, ...earlier] },
    )
  try {
    const records = kept.map(({ record }) => record)
    for (const [index, one] of kept.entries()) await copyRecord(one, recordFile(index + 1))
    for (const one of configurations) {
      const rules = records.length === 0 ? undefined : openRules(combineRecords(records))
      if (end.decided || rules?.size === 0) break
      const performed = perform(one, records, rules).then((record) => [record])
      records.push(...(await (rules ? performed.catch(skipIdle) : performed)))
    }
    for (const [index, one] of also.entries()) await copyRecord(one, recordFile(records.length + index + 1))
    return await report(combineRecords([...records, ...earlier]), recordFile(1), results.run)
  } catch (error) {
    await leaveFailure(results, error)
    if (!(error instanceof EndedBeforeRows)) throw error
    printMistake(error.message)
    return error.why.cause === 'target-gone' ? exitCode.target : exitCode.incomplete
  } finally {
    for (const one of forget) one()
    await results.release()
  }
}

/** In a configuration none of whose rows can run nothing is examined; why, the rows of the first one say. */
function skipIdle(error: unknown): RunRecord[] {
  if (!(error instanceof NothingSelected)) throw error
  print(`This configuration examines no further rule: ${error.message}\n`)
  return []
}

type Shared = Pick<RunOptions, 'recordFile' | 'results' | 'end' | 'rules'>

async function runConfiguration(
  { settings, simulator: embedded, options }: Configuration,
  shared: Shared,
  { begin, before }: { begin: Around['begin']; before: readonly RunRecord[] },
): Promise<RunRecord> {
  const { target, access, simulator } = await openRunTarget(settings, embedded)
  try {
    const running = {
      ...options,
      ...shared,
      target,
      access,
      embedded: simulator !== undefined,
      model: conformanceModel,
    }
    await begin?.(running)
    const shown = runOnConsole()
    const planned: RunObserver['planned'] = (summary) => {
      // Before anything is made there.
      for (const { header } of before) expectCombinable(header, summary.header)
      shown.observer.planned(summary)
    }
    return await run(running, { ...shown.observer, planned }).finally(shown.clear)
  } finally {
    await simulator?.close()
  }
}

/**
 * Where nothing was run because of the call, there is nothing to be left; otherwise reports of yesterday must not be taken for
 * those of today. An error of writing them is printed beside the error of the run.
 */
async function leaveFailure(results: ResultsFolder, error: unknown): Promise<void> {
  const { name, version } = toolIdentity()
  // It knows the errors of every command, and so nearly all that there is.
  const { explain } = await import('../console/failure.js')
  try {
    if (explain(error, false).code === exitCode.usage) return await results.discard()
    const message = withoutSuspects(error instanceof Error ? error.message : String(error))
    await writeTexts(results.run, failedRunReports(`${name} ${version}`, message, new Date()))
  } catch (other) {
    printMistake(explain(other, false).text)
  }
}

/** What a terminal shows while a run is under way. */
function runOnConsole(): { observer: RunObserver; clear(): void } {
  const progress = createProgress(statusLine)
  const tell = (sentence: string): void => {
    progress.clear()
    printError(visibleLine(sentence))
  }
  return {
    clear: progress.clear,
    observer: {
      planned: (summary) => {
        announce(summary)
        progress.planned(summary.ahead)
      },
      row: progress.row,
      outage: ({ from, to }) =>
        tell(
          to === undefined
            ? `the target has not answered since ${timeOf(from)}: the run waits for it`
            : `the target answers again since ${timeOf(to)}: the run goes on`,
        ),
      hazard: ({ row }) =>
        tell(
          `about to be sent: ${row.id}, which may stop a faulty participant${row.hazard === undefined ? '' : ` (${row.hazard})`}`,
        ),
      notice: (sentence) => tell(`! ${sentence}`),
    },
  }
}

const timeOf = (iso: string): string => `${iso.slice(11, 19)} UTC`

const announce: RunObserver['planned'] = ({ rows, left, forecast: { requests, seconds, effects }, header }) => {
  const { target, profile } = header
  const where = target.embedded ? 'the embedded simulator' : visibleLine(target.url)
  print(`${rows} rows on ${where}, judged by ${profile.name}; ${left} do not apply to this target`)
  print(
    `${requests} requests, ${effects.transactions} committed transactions: about ${seconds} s; seed ${header.seed}\n`,
  )
}
