/** `conform clean`: puts back at a participant what runs that were ended have left changed. */
import { existsSync } from 'node:fs'
import { usualResults } from '../reports/shell.js'
import { cleanTarget } from '../runner/clean-target.js'
import { openTarget } from '../runner/target/open-target.js'
import { conformanceModel } from './conformance-model.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { lockFolder } from './folder-lock.js'
import { runOptionsOf } from './run-options-of.js'
import { type Flags, gatherSettings } from './settings.js'
import { UsageError } from './usage-error.js'

/** Ends with 3 where something is left. */
export async function cleanCommand(flags: Flags): Promise<ExitCode> {
  const settings = await gatherSettings(flags, process.env)
  const { url } = settings
  if (url === undefined) throw new UsageError('target: say which participant is to be put right: --target URL')
  const results = settings.run.out ?? usualResults
  const { repaired, left } = await withLock(results, async () =>
    cleanTarget({
      ...(await runOptionsOf(settings)),
      ...{ target: await openTarget(settings, url), embedded: false, recordFile: '' },
      results,
      model: { packages: conformanceModel, mayUpload: false },
    }),
  )
  for (const sentence of [...repaired, ...left.map((one) => `! ${one}`)]) console.log(sentence)
  if (repaired.length + left.length === 0) console.log('Nothing was left changed.')
  return left.length > 0 ? exitCode.target : exitCode.conforming
}

/** What a run that is under way has changed is not left by anybody. Without a folder there is none. */
async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (!existsSync(folder)) return work()
  const lock = await lockFolder(folder)
  return work().finally(lock.release)
}
