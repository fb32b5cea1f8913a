import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { type Learned, learn } from '../../learn/learn.js'
import { type ObservedRun, observedRun } from '../../learn/observed-run.js'
import { divergencesText, profileText } from '../../learn/profile-text.js'
import { writeOutput } from '../../lib/files/write-output.js'
import { print, printMistake } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import { isComplete } from '../../record/judgements/tally.js'
import { defaultProfile } from '../../reports/wording/shell.js'
import type { Suite } from '../../runner/suite/suite.js'
import type { Settings } from '../../runner/target/read-settings.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { learnedText, rowsInWords } from '../console/learned-text.js'
import { readParts } from '../output/read-run.js'
import { configurationsOf } from '../target/configurations.js'
import { performRun } from '../target/perform-run.js'
import { loadWithProfile } from '../target/profile-of.js'
import { type Flags, gatherSettings } from '../target/settings.js'

/** Exit code 1 with `--check` and drift. Rejects with `UsageError`, and the errors of a run. */
export async function learnCommand(given: Flags): Promise<ExitCode> {
  const { record: paths, from = defaultProfile, name, byRow, check, write, ...flags } = given
  const settings = await gatherSettings(flags, process.env)
  if (!check && typeof name !== 'string') throw new UsageError('learn: name the new profile: --name my-participant')
  const { suite, profile: base } = await loadWithProfile({ suite: settings.run.suite, profile: String(from) })
  const runs = Array.isArray(paths)
    ? await recordedRuns(paths.map(String), flags)
    : await performedRuns(settings, flags)
  if (!Array.isArray(runs)) return runs
  const learned = learn(runs, suite, base, {
    name: typeof name === 'string' ? name : base.name,
    byRow: byRow === true,
  })
  return check ? reportDrift(learned, suite, base.name) : writeLearned(learned, suite, write)
}

/** Rejects with `RecordError` and `UsageError`. */
async function recordedRuns(paths: readonly string[], { suite: _, ...unused }: Flags): Promise<ObservedRun[]> {
  const [option] = Object.keys(unused)
  if (option !== undefined)
    throw new UsageError(
      `learn: --record reads recorded runs, so --${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} has no effect; remove it`,
    )
  const runs: ObservedRun[] = []
  for (const path of paths) {
    const records = await readParts(path)
    if (!records.every(isComplete))
      throw new UsageError(`learn: ${path} contains an incomplete or damaged record; name the record of a complete run`)
    runs.push(...records.map(observedRun))
  }
  return runs
}

/** Two runs with different seeds. The second one starts only if the first one is complete; its exit code otherwise. */
async function performedRuns(settings: Settings, flags: Flags): Promise<ObservedRun[] | ExitCode> {
  if (settings.url === undefined)
    throw new UsageError('learn: name the participant with --target URL, or its recorded runs with --record RUN...')
  const seed = settings.run.seed ?? randomBytes(4).toString('hex')
  // Both runs send the requests of the same profile.
  const [
    {
      options: { profileBy: _, ...options },
      ...rest
    },
  ] = await configurationsOf(settings)
  const runs: ObservedRun[] = []
  for (const [index, one] of [seed, `${seed}-2`].entries()) {
    const code = await performRun([{ ...rest, options: { ...options, seed: one } }], {
      flags,
      report: async (record) => {
        if (!isComplete(record)) return exitCode.incomplete
        runs.push(observedRun(record))
        return exitCode.conforming
      },
    })
    if (runs.length === index) {
      printMistake('learn: a run did not complete; repeat the command')
      return code
    }
  }
  return runs
}

async function writeLearned(learned: Learned, suite: Suite, write: unknown): Promise<ExitCode> {
  const { name } = learned.profile
  const file = typeof write === 'string' ? write : `${name}.yaml`
  const written = [file]
  await writeOutput(file, profileText(learned.profile))
  if (learned.proposed.length > 0) {
    const divergences = join(dirname(file), `${name}.divergences.yaml`)
    await writeOutput(divergences, divergencesText(learned.proposed, learned.profile))
    written.push(divergences)
  }
  print(learnedText(learned, suite.situations))
  print(`\n${written.join('\n')}`)
  return exitCode.conforming
}

function reportDrift(learned: Learned, { situations }: Suite, base: string): ExitCode {
  if (learned.rows === 0)
    throw new UsageError(
      `learn: no row of the runs can be compared with the suite${skipped(learned)}. Name the suite of the runs with --suite`,
    )
  if (!differs(learned)) {
    print(`No drift: ${learned.rows} rows match the profile ${base}${skipped(learned)}.`)
    return exitCode.conforming
  }
  print(learnedText(learned, situations))
  return exitCode.notConforming
}

const skipped = ({ unknown }: Learned): string =>
  unknown.length === 0 ? '' : `; skipped, with other requests or without a row of the suite: ${rowsInWords(unknown)}`

const differs = ({ profile, inconsistent, proposed }: Learned): boolean =>
  profile.accepted !== undefined ||
  profile.basis !== undefined ||
  [profile.situations, profile.byRow, Object.keys(profile.formats), inconsistent, proposed].some(
    (one) => one.length > 0,
  )
