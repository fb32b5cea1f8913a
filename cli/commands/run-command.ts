/** `conform run`: runs the suite, continues a run, or prints a dry run. */
import type { RunHeader, RunRecord } from '../../record/types/record.js'
import { defaultResults } from '../../reports/wording/shell.js'
import { earlierRun, ResumeError } from '../../runner/preflight/resume.js'
import type { RunOptions } from '../../runner/preflight/run-options.js'
import { dryRun } from '../console/dry-run.js'
import type { ExitCode } from '../console/exit-code.js'
import type { AlsoRun } from '../output/also-runs.js'
import { isComplete, readRun, recordsOf } from '../output/read-run.js'
import { reportRun } from '../output/report-run.js'
import { type Configuration, configurationsOf } from '../target/configurations.js'
import { conformanceModel } from '../target/conformance-model.js'
import { openRunTarget } from '../target/open-run-target.js'
import { type Configurations, performRun } from '../target/perform-run.js'
import { resumedFlags } from '../target/resumed-flags.js'
import { dryRunSetting, jsonSetting, suggestSetting } from '../target/run-settings.js'
import { type Flags, gatherSettings, isOn, resumeOf } from '../target/settings.js'

/** Rejects with `UsageError`, and like `gatherSettings` and `performRun`. */
export async function runCommand(given: Flags, color: boolean): Promise<ExitCode> {
  const resumed = resumeOf(given, process.env)
  const parts = resumed === undefined ? [] : await recordsOf(resumed)
  const interrupted = parts[0]?.record
  const flags = interrupted ? resumedFlags(given, interrupted.header) : given
  const settings = await gatherSettings(flags, process.env)
  const withFailed = (one: Configuration): Configuration => ({
    ...one,
    options: { ...one.options, ...failedOfResumed(interrupted) },
  })
  const [first, ...others] = await configurationsOf(settings)
  const configurations: Configurations = [withFailed(first), ...others.map(withFailed)]
  const { kept, left } = interrupted ? resumedRun(parts, configurations) : { kept: [], left: configurations }
  if (isOn(dryRunSetting, given, process.env)) return dryRunOn(left[0], isOn(jsonSetting, given, process.env))
  // Reads the baseline before the run changes `latest`.
  const baseline = settings.run.baseline === undefined ? undefined : await readRun(settings.run.baseline)
  const suggests = isOn(suggestSetting, given, process.env)
  return performRun(left, {
    kept,
    report: (record, recordFile, folder) => reportRun(record, recordFile, folder, color, { suggests, baseline }),
  })
}

/** A run of failed rows has exactly these rows in its plan. */
function failedOfResumed(interrupted: RunRecord | undefined): Pick<RunOptions, 'failedOf'> {
  const run = interrupted?.header.selection?.failedOf
  return interrupted && run !== undefined
    ? { failedOf: { run, ids: new Set(interrupted.plan.map(({ row }) => row.id)) } }
    : {}
}

async function dryRunOn({ settings, options }: Configuration, asJson: boolean): Promise<ExitCode> {
  const { target, access, simulator } = await openRunTarget(settings)
  try {
    const results = settings.run.out ?? defaultResults
    const more = { target, access, embedded: simulator !== undefined, recordFile: '', results, model: conformanceModel }
    return await dryRun({ ...options, ...more }, asJson)
  } finally {
    await simulator?.close()
  }
}

/** An interrupted run, in one or several configurations. */
interface ResumedRun {
  /** Records of completed configurations, in order. */
  kept: AlsoRun[]
  /** The interrupted configuration, with its judged rows, and the later ones. */
  left: [Configuration, ...Configuration[]]
}

/**
 * `parts`: the records of the run, in order. A configuration without rows has no record. Throws `ResumeError` if the run is complete, or
 * if a record has no configuration.
 */
function resumedRun(parts: readonly AlsoRun[], configurations: readonly Configuration[]): ResumedRun {
  const ended = parts.findIndex(({ record }) => !isComplete(record))
  const kept = ended === -1 ? [...parts] : parts.slice(0, ended)
  let next = 0
  for (const { record } of kept) next = indexOf(record.header, configurations, next) + 1
  const resumed = parts[kept.length]
  if (!resumed) {
    const [first, ...others] = configurations.slice(next)
    if (first) return { kept, left: [first, ...others] }
    throw new ResumeError('this run is already complete')
  }
  const { header } = resumed.record
  const [first, ...others] = configurations.slice(indexOf(header, configurations, next))
  if (!first) throw unknown(header)
  const { seed, concurrency } = header
  const options = { ...first.options, seed, concurrency, resume: earlierRun(resumed.record) }
  return { kept, left: [{ ...first, options }, ...others] }
}

/** Index of the first configuration of the run, from `from`. Throws `ResumeError`. */
function indexOf(header: RunHeader, configurations: readonly Configuration[], from: number): number {
  const found = configurations.findIndex((one, index) => index >= from && isOf(one, header))
  if (found === -1) throw unknown(header)
  return found
}

const unknown = ({ run, target }: RunHeader): ResumeError =>
  new ResumeError(`the settings have no configuration for run ${run} on ${target.url}; add it, or start a new run`)

const isOf = ({ settings: { url, authorization, run } }: Configuration, { target, options }: RunHeader): boolean =>
  url === target.url &&
  target.authorization === (authorization.kind === 'minted' ? authorization.key.kind : authorization.kind) &&
  run.protocolVersion === options?.protocolVersion
