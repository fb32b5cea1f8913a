import type { RunRecord } from '../record/record.js'
import { usualResults } from '../reports/shell.js'
import type { RunOptions } from '../runner/run-options.js'
import { type Configuration, configurationsOf } from './configurations.js'
import { conformanceModel } from './conformance-model.js'
import { dryRun } from './dry-run.js'
import type { ExitCode } from './exit-code.js'
import { openRunTarget } from './open-run-target.js'
import { type Configurations, performRun } from './perform-run.js'
import { readRun, recordsOf } from './read-run.js'
import { reportRun } from './report-run.js'
import { resumedFlags } from './resumed-flags.js'
import { resumedRun } from './resumed-run.js'
import { dryRunSetting, jsonSetting, suggestSetting } from './run-settings.js'
import { type Flags, gatherSettings, isOn, resumeOf } from './settings.js'

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
    const results = settings.run.out ?? usualResults
    const told = { target, access, embedded: simulator !== undefined, recordFile: '', results, model: conformanceModel }
    return await dryRun({ ...options, ...told }, asJson)
  } finally {
    await simulator?.close()
  }
}
