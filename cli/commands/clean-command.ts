import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { print } from '../../lib/print.js'
import { UsageError } from '../../lib/usage-error.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { defaultResults } from '../../reports/wording/shell.js'
import { journalIn, type LeftJournal, leftJournals } from '../../runner/changes/journal.js'
import { cleanTarget } from '../../runner/run/clean-target.js'
import { openTarget } from '../../runner/target/read-settings.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { recordOf } from '../output/read-run.js'
import { lockFolder } from '../output/results-folder.js'
import { runOptionsOf } from '../target/run-options-of.js'
import { type Flags, gatherSettings } from '../target/settings.js'

/**
 * `run`: id, record or folder; by default all runs. Exits with 3 if a change remains. Rejects with `UsageError`, also
 * while another run uses the folder.
 */
export async function cleanCommand(run: string | undefined, flags: Flags): Promise<ExitCode> {
  const settings = await gatherSettings(flags, process.env)
  const results = settings.run.out ?? defaultResults
  const journals = run === undefined ? await leftJournals(results) : await journalsOf(run, results)
  const url = settings.url ?? (run === undefined ? undefined : journals[0]?.url)
  if (url === undefined) {
    if (run !== undefined) return printChanges([], [])
    throw new UsageError('target: name the participant to restore (--target URL), or a run')
  }
  const options = {
    ...(await runOptionsOf(settings)),
    target: await openTarget(settings, url),
    embedded: false,
    recordFile: '',
  }
  const folders = new Set(journals.map(({ path }) => resolve(dirname(dirname(path)))))
  if (run === undefined && existsSync(results)) folders.add(resolve(results))
  const locks = await Promise.all([...folders].map(lockFolder))
  try {
    const { repaired, left: remaining } = await cleanTarget(options, journals)
    const [named] = run === undefined || remaining.length > 0 ? [] : journals
    if (named && (await journalIn(dirname(named.path))))
      throw new UsageError(`target: the run ${named.run} was on another participant, at ${named.url}`)
    return printChanges(repaired, remaining)
  } finally {
    for (const lock of locks) await lock.release()
  }
}

function printChanges(repaired: readonly string[], remaining: readonly string[]): ExitCode {
  for (const sentence of [...repaired, ...remaining.map((one) => `! ${one}`)]) print(visibleLine(sentence))
  if (repaired.length + remaining.length === 0) print('Nothing to restore.')
  return remaining.length > 0 ? exitCode.target : exitCode.conforming
}

/** A run that was killed early has a folder but no record. */
async function journalsOf(run: string, results: string): Promise<LeftJournal[]> {
  if (existsSync(run)) {
    const journal = (await journalIn(run)) ?? (await journalIn(dirname(await recordOf(run))))
    return journal ? [journal] : []
  }
  const named = (await leftJournals(results)).filter((one) => one.run === run)
  if (named.length > 0) return named
  throw new UsageError(
    `clean: no run ${run} in ${results} has changes to restore; you can also give the folder of the run`,
  )
}
