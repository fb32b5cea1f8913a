/** Asks the target what it is, through operations that every participant has. */
import { makeSigningKey } from '../sign/signing-key.js'
import { TargetError } from '../target/target.js'
import { valueAt } from '../template/pointer.js'
import type { Caller } from './caller.js'
import { proposesTopology } from './proposed-topology.js'

export interface Discovery {
  version: string | undefined
  participantId: string
  synchronizerIds: string[]
  /** Parties can sign for themselves: the target proposes a topology for one; or why nobody asked. */
  externalParties: boolean | string
}

/** `unreachable`: operations that are not called. Throws `TargetError` when the target cannot be reached or is no participant. */
export async function discover(
  call: Caller,
  unreachable: ReadonlySet<string>,
  learned: (participantId: string) => void,
): Promise<Discovery> {
  const version = valueAt(await call('version'), '/version')
  const participantId = valueAt(await call('participant-id'), '/participantId')
  if (typeof participantId !== 'string') throw new TargetError('the target does not tell its participant id')
  learned(participantId)
  const connected = valueAt(await call('connected-synchronizers'), '/connectedSynchronizers')
  const synchronizerIds = (Array.isArray(connected) ? connected : [])
    .map((item) => valueAt(item, '/synchronizerId'))
    .filter((id) => typeof id === 'string')
  const [synchronizer] = synchronizerIds
  if (synchronizer === undefined) throw new TargetError('the target is connected to no synchronizer')
  return {
    version: typeof version === 'string' ? version : undefined,
    participantId,
    synchronizerIds,
    externalParties:
      withoutOnboarding(unreachable) ??
      (await proposesTopology(synchronizer, makeSigningKey('ed25519').publicKey, call)),
  }
}

/** What it takes to make a party that signs for itself. */
const onboarding = ['generate-external-topology', 'allocate-external-party']

function withoutOnboarding(unreachable: ReadonlySet<string>): string | undefined {
  const missing = onboarding.find((name) => unreachable.has(name))
  return missing && `the target file says that ${missing} cannot be reached, so that nobody asked`
}
