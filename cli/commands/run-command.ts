import type { RunHeader, RunRecord } from '../../record/types/record.js'
import { defaultResults } from '../../reports/wording/shell.js'
import { earlierRun, ResumeError } from '../../runner/preflight/resume.js'
import type { RunOptions } from '../../runner/preflight/run-options.js'
import { dryRun } from '../console/dry-run.js'
import type { ExitCode } from '../console/exit-code.js'
import type { AlsoRun } from '../output/also-runs.js'
import { isWhole, readRun, recordsOf } from '../output/read-run.js'
import { reportRun } from '../output/report-run.js'
import { type Configuration, configurationsOf } from '../target/configurations.js'
import { conformanceModel } from '../target/conformance-model.js'
import { openRunTarget } from '../target/open-run-target.js'
import { type Configurations, performRun } from '../target/perform-run.js'
import { resumedFlags } from '../target/resumed-flags.js'
import { dryRunSetting, jsonSetting, suggestSetting } from '../target/run-settings.js'
import { type Flags, gatherSettings, isOn, resumeOf } from '../target/settings.js'

/** `color`: whether the console shows any. Throws `UsageError`, and what reading the settings and running throw. */
export async function runCommand(given: Flags, color: boolean): Promise<ExitCode> {
  const resumed = resumeOf(given, process.env)
  const parts = resumed === undefined ? [] : await recordsOf(resumed)
  const begun = parts[0]?.record
  const flags = begun ? resumedFlags(given, begun.header) : given
  const settings = await gatherSettings(flags, process.env)
  const withFailed = (one: Configuration): Configuration => ({
    ...one,
    options: { ...one.options, ...failedOfResumed(begun) },
  })
  const [first, ...others] = await configurationsOf(settings)
  const configurations: Configurations = [withFailed(first), ...others.map(withFailed)]
  const { kept, left } = begun ? resumedRun(parts, configurations) : { kept: [], left: configurations }
  if (isOn(dryRunSetting, given, process.env)) return dryRunOn(left[0], isOn(jsonSetting, given, process.env))
  // Before the run: that it cannot be read must not show afterwards, and `latest` leads to this one then.
  const baseline = settings.run.baseline === undefined ? undefined : await readRun(settings.run.baseline)
  const suggests = isOn(suggestSetting, given, process.env)
  return performRun(left, {
    kept,
    report: (record, recordFile, folder) => reportRun(record, recordFile, folder, color, { suggests, baseline }),
  })
}

/** Which rows had failed when the run was begun that is gone on with, its plan says. */
function failedOfResumed(begun: RunRecord | undefined): Pick<RunOptions, 'failedOf'> {
  const run = begun?.header.selection?.failedOf
  return begun && run !== undefined ? { failedOf: { run, ids: new Set(begun.plan.map(({ row }) => row.id)) } } : {}
}

/** Nothing is written, so that there is no folder. */
async function dryRunOn({ settings, options }: Configuration, asJson: boolean): Promise<ExitCode> {
  const { target, access, simulator } = await openRunTarget(settings)
  try {
    const results = settings.run.out ?? defaultResults
    const told = { target, access, embedded: simulator !== undefined, recordFile: '', results, model: conformanceModel }
    return await dryRun({ ...options, ...told }, asJson)
  } finally {
    await simulator?.close()
  }
}

/** A run that was ended early, in one configuration of the participant or in several: what stays, and what is still to be run. */
interface ResumedRun {
  /** Configurations that completed, in their order. */
  kept: AlsoRun[]
  /** The configuration that was ended, with what it judged, and those after it. */
  left: [Configuration, ...Configuration[]]
}

/**
 * `parts`: the records of the run, in their order. A configuration that examined nothing has left none. Throws `ResumeError` where
 * nothing is left to be run, or where no configuration fits a record.
 */
function resumedRun(parts: readonly AlsoRun[], configurations: readonly Configuration[]): ResumedRun {
  const ended = parts.findIndex(({ record }) => !isWhole(record))
  const kept = ended === -1 ? [...parts] : parts.slice(0, ended)
  let next = 0
  for (const { record } of kept) next = indexOf(record.header, configurations, next) + 1
  const resumed = parts[kept.length]
  if (!resumed) {
    const [first, ...others] = configurations.slice(next)
    if (first) return { kept, left: [first, ...others] }
    throw new ResumeError('that run came to its end: nothing is left to be done')
  }
  const { header } = resumed.record
  const [first, ...others] = configurations.slice(indexOf(header, configurations, next))
  if (!first) throw unknown(header)
  const { seed, concurrency } = header
  const options = { ...first.options, seed, concurrency, resume: earlierRun(resumed.record) }
  return { kept, left: [{ ...first, options }, ...others] }
}

/** The first of the configurations from `from` on in which the run was. Throws `ResumeError`. */
function indexOf(header: RunHeader, configurations: readonly Configuration[], from: number): number {
  const found = configurations.findIndex((one, index) => index >= from && isOf(one, header))
  if (found === -1) throw unknown(header)
  return found
}

const unknown = ({ run, target }: RunHeader): ResumeError =>
  new ResumeError(`the settings have no configuration for the run ${run} on ${target.url}; add it, or run it anew`)

const isOf = ({ settings: { url, authorization, run } }: Configuration, { target, options }: RunHeader): boolean =>
  url === target.url &&
  target.authorization === (authorization.kind === 'minted' ? authorization.key.kind : authorization.kind) &&
  run.protocolVersion === options?.protocolVersion
