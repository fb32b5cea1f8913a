/** `conform clean`: puts back at a participant what runs that were ended have left changed. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { print } from '../../lib/print.js'
import { visibleLine } from '../../reports/wording/hostile-text.js'
import { defaultResults } from '../../reports/wording/shell.js'
import { journalIn, type LeftJournal, leftJournals } from '../../runner/changes/journal.js'
import { cleanTarget } from '../../runner/run/clean-target.js'
import { openTarget } from '../../runner/target/open-target.js'
import { type ExitCode, exitCode } from '../console/exit-code.js'
import { UsageError } from '../console/usage-error.js'
import { lockFolder } from '../output/folder-lock.js'
import { recordOf } from '../output/read-run.js'
import { conformanceModel } from '../target/conformance-model.js'
import { runOptionsOf } from '../target/run-options-of.js'
import { type Flags, gatherSettings } from '../target/settings.js'

/**
 * `run`: the id of one run, its record or its folder; without it, all runs of the folder of results. Ends with 3 where something
 * is left. Throws `UsageError`, also while another run is under way there, as what that has made is no leftover.
 */
export async function cleanCommand(run: string | undefined, flags: Flags): Promise<ExitCode> {
  const settings = await gatherSettings(flags, process.env)
  const results = settings.run.out ?? defaultResults
  const journals = run === undefined ? await leftJournals(results) : await journalsOf(run, results)
  const url = settings.url ?? (run === undefined ? undefined : journals[0]?.url)
  if (url === undefined) {
    if (run !== undefined) return tell([], [])
    throw new UsageError('target: say which participant is to be put right: --target URL, or which run')
  }
  const options = {
    ...(await runOptionsOf(settings)),
    ...{ target: await openTarget(settings, url), embedded: false, recordFile: '', model: conformanceModel },
  }
  const folders = new Set(journals.map(({ path }) => resolve(dirname(dirname(path)))))
  if (run === undefined && existsSync(results)) folders.add(resolve(results))
  const locks = await Promise.all([...folders].map(lockFolder))
  try {
    const { repaired, left } = await cleanTarget(options, journals)
    const [named] = run === undefined || left.length > 0 ? [] : journals
    if (named && (await journalIn(dirname(named.path))))
      throw new UsageError(`target: the run ${named.run} was on another participant, at ${named.url}`)
    return tell(repaired, left)
  } finally {
    for (const lock of locks) await lock.release()
  }
}

function tell(repaired: readonly string[], left: readonly string[]): ExitCode {
  for (const sentence of [...repaired, ...left.map((one) => `! ${one}`)]) print(visibleLine(sentence))
  if (repaired.length + left.length === 0) print('Nothing was left changed.')
  return left.length > 0 ? exitCode.target : exitCode.conforming
}

/** Empty where the run has left nothing. A run that was killed early has a folder, but no record. */
async function journalsOf(run: string, results: string): Promise<LeftJournal[]> {
  if (await isThere(run)) {
    const journal = (await journalIn(run)) ?? (await journalIn(dirname(await recordOf(run))))
    return journal ? [journal] : []
  }
  const named = (await leftJournals(results)).filter((one) => one.run === run)
  if (named.length > 0) return named
  throw new UsageError(
    `clean: there is no run ${run} below ${results} that has left anything; its folder will do as well`,
  )
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
