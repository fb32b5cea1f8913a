/** `conform clean`: puts back at a participant what runs that were ended have left changed. */
import { cleanTarget } from '../runner/clean-target.js'
import { readTarget } from '../runner/target/target.js'
import { conformanceModel } from './conformance-model.js'
import { type ExitCode, exitCode } from './exit-code.js'
import { settingsOf } from './run-command.js'
import type { RunFlags } from './run-flags.js'
import { UsageError } from './usage-error.js'

/** Ends with 3 where something is left. */
export async function cleanCommand(flags: RunFlags): Promise<ExitCode> {
  const { url, authorization, run } = await settingsOf(flags)
  if (url === undefined) throw new UsageError('target: say which participant is to be put right: --target URL')
  const { repaired, left } = await cleanTarget({
    ...run,
    ...{ target: readTarget(url, authorization), embedded: false, recordFile: '', results: flags.out },
    model: { packages: conformanceModel, mayUpload: false },
  })
  for (const sentence of [...repaired, ...left.map((one) => `! ${one}`)]) console.log(sentence)
  if (repaired.length + left.length === 0) console.log('Nothing was left changed.')
  return left.length > 0 ? exitCode.target : exitCode.conforming
}
