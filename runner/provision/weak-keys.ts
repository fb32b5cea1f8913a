/** Keys of Ed25519 for which anybody can sign. A participant that hosts a party with one has lost before any signature is looked at. */
import type { RecordedCheck } from '../../record/types/record.js'
import { publicKeyOf } from '../sign/signing-key.js'
import type { Caller } from './caller.js'
import { proposesTopology } from './proposed-topology.js'

const head = Buffer.from('302a300506032b6570032100', 'hex')

/** Points whose order divides eight. */
const points: readonly [name: string, bytes: Buffer][] = [
  ['of the neutral point', Buffer.concat([Buffer.from([1]), Buffer.alloc(31)])],
  ['of zeros', Buffer.alloc(32)],
]

/** Only asks: nothing is allocated. The text speaks of no keys, so this is told apart from its rules. */
export async function checkWeakKeys(synchronizer: string, call: Caller): Promise<RecordedCheck[]> {
  const checks: RecordedCheck[] = []
  for (const [name, point] of points) {
    const what = `no party is proposed with the Ed25519 key ${name}, for which anybody can sign`
    const isProposed = await proposesTopology(synchronizer, publicKeyOf('ed25519', Buffer.concat([head, point])), call)
    checks.push({ what, met: !isProposed, ...(isProposed && { found: 'a topology for it' }) })
  }
  return checks
}
