/** With limits that the command has no options for. */
import { conformanceModel } from '../../../cli/tool/conformance-model.js'
import { toolIdentity } from '../../../cli/tool/tool.js'
import type { WrittenRecord } from '../../../record/file/write-record.js'
import type { RunOptions } from '../../../runner/preflight/run-options.js'
import { type RunObserver, run } from '../../../runner/run/run.js'
import { defaultAccess } from '../../../runner/target/target-file.js'
import { readTarget } from './plain-target.js'
import { profileNamed, wholeSuite } from './whole-suite.js'

type Given = Partial<RunOptions> & Pick<RunOptions, 'recordFile'>

/** No uploads, no authorization. */
export async function suiteRun(url: string, given: Given, observer: Partial<RunObserver> = {}): Promise<WrittenRecord> {
  const options = {
    suite: wholeSuite,
    profile: profileNamed('canton-3.5'),
    target: readTarget(url, 'none'),
    access: defaultAccess,
    tool: toolIdentity(),
    model: conformanceModel,
    embedded: false,
    concurrency: 4,
    timeLimit: 30_000,
    ...given,
  }
  return run(options, { planned: () => undefined, row: () => undefined, ...observer })
}
