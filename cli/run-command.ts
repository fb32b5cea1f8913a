import { usualResults } from '../reports/shell.js'
import { type EarlierRun, earlierRun } from '../runner/resume.js'
import type { RunOptions } from '../runner/run-options.js'
import type { Settings } from '../runner/target/read-settings.js'
import { configurationsOf } from './configurations.js'
import { conformanceModel } from './conformance-model.js'
import { dryRun } from './dry-run.js'
import type { ExitCode } from './exit-code.js'
import { openRunTarget } from './open-run-target.js'
import { performRun } from './perform-run.js'
import { readFirst, readRun } from './read-run.js'
import { reportRun } from './report-run.js'

import { resumedFlags } from './resumed-flags.js'
import type { runOptionsOf } from './run-options-of.js'
import { dryRunSetting, jsonSetting, suggestSetting } from './run-settings.js'
import { type Flags, gatherSettings, isOn, resumeOf } from './settings.js'

/** `color`: whether the console shows any. Throws `UsageError`, and what reading the settings and running throw. */
export async function runCommand(given: Flags, color: boolean): Promise<ExitCode> {
  const resumed = resumeOf(given, process.env)
  const resume = resumed === undefined ? undefined : earlierRun(await readFirst(resumed))
  const flags = resume ? resumedFlags(given, resume.record.header) : given
  const settings = await gatherSettings(flags, process.env)
  const [first, ...others] = await configurationsOf(settings)
  const options = { ...first.options, ...failedOfResumed(resume) }
  if (isOn(dryRunSetting, given, process.env)) return dryRunOn(settings, options, isOn(jsonSetting, given, process.env))
  // Before the run: that it cannot be read must not show afterwards, and `latest` leads to this one then.
  const baseline = settings.run.baseline === undefined ? undefined : await readRun(settings.run.baseline)
  const suggests = isOn(suggestSetting, given, process.env)
  return performRun([{ ...first, options: { ...options, ...(resume && { resume }) } }, ...others], {
    report: (record, recordFile, folder) => reportRun(record, recordFile, folder, color, { suggests, baseline }),
  })
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
  const { target, access, simulator } = await openRunTarget(settings)
  try {
    const results = settings.run.out ?? usualResults
    const told = { target, access, embedded: simulator !== undefined, recordFile: '', results, model: conformanceModel }
    return await dryRun({ ...options, ...told }, asJson)
  } finally {
    await simulator?.close()
  }
}
