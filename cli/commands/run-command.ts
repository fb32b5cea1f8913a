import { realPathOf } from '../../lib/files/paths.js'
import { omitUndefined } from '../../lib/omit-undefined.js'
import { print, withDataOnly } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import { isComplete } from '../../record/judgements/tally.js'
import type { EndedEarly } from '../../record/types/reason.js'
import type { RunHeader, RunRecord } from '../../record/types/record.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { defaultResults, shellWord } from '../../reports/wording/shell.js'
import type { Selection } from '../../runner/plan/select.js'
import { earlierRun, notResumed } from '../../runner/preflight/resume.js'
import { quotedHeader, readPassages } from '../../runner/text/passages.js'
import { dryRun } from '../console/dry-run.js'
import type { ExitCode } from '../console/exit-code.js'
import { type RecordFile, recordOf, recordsOf } from '../output/read-run.js'
import { reportRun } from '../output/report-run.js'
import { settingsFileOf } from '../output/results-folder.js'
import { readFacts, writeSummary } from '../output/run-facts.js'
import { type Configuration, configurationsOf } from '../target/configurations.js'
import { prepareThread } from '../target/embedded-simulator.js'
import { openRunTarget } from '../target/open-run-target.js'
import { type Configurations, performRun } from '../target/perform-run.js'
import { resumedFlags } from '../target/resumed-flags.js'
import { type Flags, gatherSettings, namedFile, resumeOf } from '../target/settings.js'

/**
 * `reported`: after the reports. Rejects with `UsageError`, and like `gatherSettings` and `performRun`.
 * @example await runCommand({ target: 'http://127.0.0.1:7575' }, false) // 0 if the participant conforms
 */
export async function runCommand(
  given: Flags,
  color: boolean,
  reported?: (record: RunRecord) => void,
): Promise<ExitCode> {
  const isDry = given['dryRun'] === true
  const asJson = given['json'] === true
  if (asJson && !isDry) throw new UsageError('json: add --dry-run; a run writes its results as JSON into ctrf.json')
  const resumed = resumeOf(given)
  const parts = resumed === undefined ? [] : await recordsOf(resumed)
  const interrupted = parts[0]?.record
  const flags = interrupted ? resumedFlags(given, interrupted.header) : given
  const settings = await gatherSettings(flags, process.env)
  if (settings.url === undefined) prepareThread()
  const withFailed = (one: Configuration): Configuration => ({
    ...one,
    options: { ...one.options, ...failedOfResumed(interrupted) },
  })
  const [first, ...others] = await configurationsOf(settings)
  const configurations: Configurations = [withFailed(first), ...others.map(withFailed)]
  const { kept, left } = interrupted ? resumedRun(parts, configurations) : { kept: [], left: configurations }
  if (isDry) return dryRunOn(left[0], asJson)
  // Reads the baseline before the run changes `latest`.
  const named = settings.run.baseline
  const baseline = named === undefined ? undefined : await readFacts(named)
  const baselineFile = named === undefined ? undefined : await realPathOf(await recordOf(named))
  const quoted = await quotedBy(settings.run.text, first)
  const suggests = given['suggestWaivers'] === true
  // A file names its target: another file replaces the target together with its credentials.
  const called = omitUndefined({ ...flags, config: await namedFile(flags, process.env), baseline: baselineFile })
  const perform = (): Promise<ExitCode> =>
    performRun(left, {
      kept,
      flags: called,
      report: async (record, recordFile, folder) => {
        const file = settingsFileOf(folder)
        const settingsFile = record.header.options?.settingsFile === undefined ? undefined : file
        const code = await reportRun(quoted(record), recordFile, folder, color, { suggests, baseline, settingsFile })
        await writeSummary(record, recordFile)
        const how = continuation(record, folder, file)
        if (how !== undefined) print(`\n${how}`)
        reported?.(record)
        return code
      },
    })
  return suggests ? withDataOnly(perform) : perform()
}

/** Reads the text before the run, and prints its digest. */
async function quotedBy(
  file: string | undefined,
  { options: { suite } }: Configuration,
): Promise<(record: RunRecord) => RunRecord> {
  if (file === undefined) return (record) => record
  const passages = await readPassages(file, suite.text)
  print(`interface text ${visibleLine(file)}: SHA-256 ${suite.text?.digest ?? ''}`)
  return (record) => ({ ...record, header: quotedHeader(record.header, passages) })
}

function failedOfResumed(interrupted: RunRecord | undefined): Selection {
  const { failedOf: run, failedRows } = interrupted?.header.selection ?? {}
  return run !== undefined && failedRows ? { failedOf: { run, ids: new Set(failedRows) } } : {}
}

async function dryRunOn({ settings, options }: Configuration, asJson: boolean): Promise<ExitCode> {
  const { target, access, simulator } = await openRunTarget(settings)
  try {
    const results = settings.run.out ?? defaultResults
    const more = { target, access, embedded: simulator !== undefined, recordFile: '', results }
    return await dryRun({ ...options, ...more }, asJson)
  } finally {
    await simulator?.close()
  }
}

interface ResumedRun {
  kept: RecordFile[]
  /** The interrupted configuration, with its judged rows, and the later ones. */
  left: [Configuration, ...Configuration[]]
}

/**
 * A configuration without rows has no record. Throws `UsageError` if the run is complete, or if a record has no
 * configuration.
 */
function resumedRun(parts: readonly RecordFile[], configurations: readonly Configuration[]): ResumedRun {
  const ended = parts.findIndex(({ record }) => !isComplete(record))
  const kept = ended === -1 ? [...parts] : parts.slice(0, ended)
  let next = 0
  for (const { record } of kept) next = indexOf(record.header, configurations, next) + 1
  const resumed = parts[kept.length]
  if (!resumed) {
    const [first, ...others] = configurations.slice(next)
    if (first) return { kept, left: [first, ...others] }
    throw notResumed('this run is already complete. Start a new run without --resume.')
  }
  const { header } = resumed.record
  const [first, ...others] = configurations.slice(indexOf(header, configurations, next))
  if (!first) throw unknown(header)
  const { seed, concurrency } = header
  const options = { ...first.options, seed, concurrency, resume: earlierRun(resumed.record) }
  return { kept, left: [{ ...first, options }, ...others] }
}

/** Throws `UsageError`. */
function indexOf(header: RunHeader, configurations: readonly Configuration[], from: number): number {
  const found = configurations.findIndex((one, index) => index >= from && isOf(one, header))
  if (found === -1) throw unknown(header)
  return found
}

function unknown({ run, target, options }: RunHeader): UsageError {
  const advice = options?.settingsFile === undefined ? 'add it' : `add --settings ${options.settingsFile}`
  return notResumed(`the settings have no configuration for run ${run} on ${target.url}; ${advice}, or start a new run`)
}

const isOf = ({ settings: { url, authorization, run } }: Configuration, { target, options }: RunHeader): boolean =>
  url === target.url &&
  target.authorization === (authorization.kind === 'minted' ? authorization.key.kind : authorization.kind) &&
  run.protocolVersion === options?.protocolVersion

const interruptions: readonly EndedEarly['cause'][] = ['interrupted', 'time-over', 'target-gone']

/** The last line of an interrupted run; undefined for other runs. `settings`: the file that the run wrote. */
export function continuation(record: RunRecord, folder: string, settings: string): string | undefined {
  const cause = record.footer?.ended?.cause
  if (cause === undefined || !interruptions.includes(cause)) return undefined
  if (record.header.target.embedded)
    return 'A run on the embedded simulator cannot be continued, because the simulator has ended. Start a new run.'
  return `continue with: conform run --resume ${shellWord(folder)} --settings ${shellWord(settings)}`
}
