/** Reads version, participant id and synchronizers of a target. */
import type { SupportName } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import { makeSigningKey, type PublicKey } from '../sign/signing-key.js'
import { NoSynchronizer, TargetError, TargetRejection } from '../target/target.js'
import { valueAt } from '../template/pointer.js'
import type { Caller } from './caller.js'
import { logicalPart } from './synchronizer-name.js'

export interface Discovery {
  version: string | undefined
  /** Undefined: unknown. */
  participantId: string | undefined
  /** Empty: unknown. */
  synchronizerIds: string[]
  /** A string is the reason why the run did not check. */
  externalParties: boolean | string
}

/** Facts stay unknown after a 403, or if `unreachable`. Throws `TargetError` if the target is not a participant. */
export async function discover(
  call: Caller,
  unreachable: ReadonlySet<string>,
  setParticipantId: (participantId: string) => void,
  declared: { synchronizerId?: string | undefined } = {},
): Promise<Discovery> {
  const version = valueAt((await readIfPermitted('version', call, unreachable)) ?? null, '/version')
  const named = await readIfPermitted('participant-id', call, unreachable)
  const participantId = named && valueAt(named, '/participantId')
  if (named && typeof participantId !== 'string')
    throw new TargetError('GET /v2/parties/participant-id returned no participant id')
  if (typeof participantId === 'string') setParticipantId(participantId)
  const connected = await readIfPermitted('connected-synchronizers', call, unreachable)
  const synchronizerIds = synchronizersIn(connected, declared.synchronizerId)
  return {
    version: typeof version === 'string' ? version : undefined,
    participantId: typeof participantId === 'string' ? participantId : undefined,
    synchronizerIds,
    externalParties: unreachableOnboarding(unreachable) ?? (await canOnboard(synchronizerIds, call)),
  }
}

async function readIfPermitted(
  name: SupportName,
  call: Caller,
  unreachable: ReadonlySet<string>,
): Promise<JsonValue | undefined> {
  if (unreachable.has(name)) return undefined
  try {
    return await call(name)
  } catch (error) {
    if (error instanceof TargetRejection && error.status === 403) return undefined
    if (error instanceof TargetRejection && error.status === 404)
      throw new TargetError(`${error.message}. Use --unreachable ${name} if the operation is missing.`)
    throw error
  }
}

function synchronizersIn(answer: JsonValue | undefined, declared: string | undefined): string[] {
  if (answer === undefined) return declared === undefined ? [] : [logicalPart(declared)]
  const connected = valueAt(answer, '/connectedSynchronizers')
  const ids = (Array.isArray(connected) ? connected : [])
    .map((item) => valueAt(item, '/synchronizerId'))
    .filter((id) => typeof id === 'string')
  if (ids.length === 0) throw new NoSynchronizer()
  return ids
}

async function canOnboard([synchronizer]: readonly string[], call: Caller): Promise<boolean | string> {
  if (synchronizer === undefined) return 'the synchronizer is unknown'
  return proposesTopology(synchronizer, makeSigningKey('ed25519').publicKey, call)
}

const onboarding = ['generate-external-topology', 'allocate-external-party']

function unreachableOnboarding(unreachable: ReadonlySet<string>): string | undefined {
  const missing = onboarding.find((name) => unreachable.has(name))
  return missing && `the settings mark ${missing} as unreachable`
}

/** Read-only. */
export async function proposesTopology(synchronizer: string, publicKey: PublicKey, call: Caller): Promise<boolean> {
  try {
    await call('generate-external-topology', { synchronizer, partyHint: 'conformance', publicKey })
    return true
  } catch (error) {
    if (error instanceof TargetError) return false
    throw error
  }
}
