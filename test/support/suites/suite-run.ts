/** With limits that the command has no options for. */
import { fileURLToPath } from 'node:url'
import { conformanceModel } from '../../../cli/target/conformance-model.js'
import { toolIdentity } from '../../../cli/tool/tool.js'
import type { WrittenRecord } from '../../../record/file/write-record.js'
import { loadSuite } from '../../../runner/load/load-suite.js'
import type { RunOptions } from '../../../runner/preflight/run-options.js'
import { type RunObserver, run } from '../../../runner/run/run.js'
import type { Suite } from '../../../runner/suite/suite.js'
import { readTarget } from './plain-target.js'

type Given = Partial<RunOptions> & Pick<RunOptions, 'recordFile'>

let loaded: Promise<Suite> | undefined

/** No uploads, no authorization. */
export async function suiteRun(url: string, given: Given, observer: Partial<RunObserver> = {}): Promise<WrittenRecord> {
  loaded ??= loadSuite(fileURLToPath(new URL('../../../../suites/', import.meta.url)))
  const suite = await loaded
  const profile = suite.profiles.get('canton-3.5')
  if (!profile) throw new Error('the suite has no profile canton-3.5')
  const options = {
    ...{ suite, profile, target: readTarget(url, 'none'), embedded: false, concurrency: 4, timeLimit: 5000 },
    ...{ tool: toolIdentity(), model: conformanceModel },
    ...given,
  }
  return run(options, { planned: () => undefined, row: () => undefined, ...observer })
}
