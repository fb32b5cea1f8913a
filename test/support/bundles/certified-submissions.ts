import { join } from 'node:path'
import { certifyCommand } from '../../../cli/commands/certify-command.js'
import { call } from '../processes/called-command.js'

/** Certifies a run of the submission suite on the embedded simulator. Returns the folder of the bundle. */
export async function certifySubmissions(folder: string, suite: string, key: string): Promise<string> {
  // The simulator runs in the named configuration alone.
  const flags = {
    suite,
    out: join(folder, 'results'),
    signer: 'A. Signer',
    key,
    protocolVersion: 35,
    seed: 'submissions', // alterations name the first of several rows
  }
  const { code, stderr } = await call(() => certifyCommand(flags, false))
  if (code !== 0) throw new Error(stderr)
  return join(folder, 'results', 'latest')
}
