import type { RecordedCheck } from '../../record/types/record.js'
import { publicKeyOf } from '../sign/signing-key.js'
import type { Caller } from './caller.js'
import { proposesTopology } from './discover.js'

const head = Buffer.from('302a300506032b6570032100', 'hex')

/** Points whose order divides 8. */
const points: readonly [name: string, bytes: Buffer][] = [
  ['of the neutral point', Buffer.concat([Buffer.from([1]), Buffer.alloc(31)])],
  ['of zeros', Buffer.alloc(32)],
]

/** Read-only. No rule covers these checks. */
export async function checkWeakKeys(synchronizer: string, call: Caller): Promise<RecordedCheck[]> {
  const checks: RecordedCheck[] = []
  for (const [name, point] of points) {
    const what = `generate-external-topology rejects the Ed25519 key ${name}, for which any client can sign`
    const isProposed = await proposesTopology(synchronizer, publicKeyOf('ed25519', Buffer.concat([head, point])), call)
    checks.push({ what, met: !isProposed, ...(isProposed && { found: 'a topology' }) })
  }
  return checks
}
