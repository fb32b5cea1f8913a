import type { PublicKey } from '../sign/signing-key.js'
import { TargetError } from '../target/target.js'
import type { Caller } from './caller.js'

/** Whether the target proposes a topology for a party with that key. Only asks: nothing is allocated. */
export async function proposesTopology(synchronizer: string, publicKey: PublicKey, call: Caller): Promise<boolean> {
  try {
    await call('generate-external-topology', { synchronizer, partyHint: 'conformance', publicKey })
    return true
  } catch (error) {
    if (error instanceof TargetError) return false
    throw error
  }
}
