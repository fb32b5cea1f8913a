/** Asks the target what it is, through operations that every participant has. */

import type { SupportName } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import { makeSigningKey } from '../sign/signing-key.js'
import { NoSynchronizer, TargetError, TargetRejection } from '../target/target.js'
import { valueAt } from '../template/pointer.js'
import type { Caller } from './caller.js'
import { proposesTopology } from './proposed-topology.js'
import { logicalPart } from './synchronizer-name.js'

export interface Discovery {
  version: string | undefined
  /** Undefined: nobody tells. */
  participantId: string | undefined
  /** Empty: nobody tells. */
  synchronizerIds: string[]
  /** Parties can sign for themselves: the target proposes a topology for one; or why nobody asked. */
  externalParties: boolean | string
}

/** What a target file tells beforehand. */
interface Told {
  /** Operations that are not called. */
  unreachable: ReadonlySet<string>
  /** The synchronizer as prepared transactions name it. */
  synchronizerId?: string | undefined
}

/**
 * Throws `TargetError` when the target cannot be reached or is no participant; what the caller alone may not ask, or cannot be
 * reached as the file tells, is not known.
 */
export async function discover(
  call: Caller,
  unreachable: ReadonlySet<string>,
  setParticipantId: (participantId: string) => void,
  told: Omit<Told, 'unreachable'> = {},
): Promise<Discovery> {
  const ask = (name: SupportName): Promise<JsonValue | undefined> => asked(name, call, unreachable)
  const version = valueAt((await ask('version')) ?? null, '/version')
  const named = await ask('participant-id')
  const participantId = named && valueAt(named, '/participantId')
  if (named && typeof participantId !== 'string') throw new TargetError('the target does not tell its participant id')
  if (typeof participantId === 'string') setParticipantId(participantId)
  const synchronizerIds = synchronizersIn(await ask('connected-synchronizers'), told.synchronizerId)
  return {
    version: typeof version === 'string' ? version : undefined,
    participantId: typeof participantId === 'string' ? participantId : undefined,
    synchronizerIds,
    externalParties: withoutOnboarding(unreachable) ?? (await onboards(synchronizerIds, call)),
  }
}

/** Undefined where it is not to be asked, or not by this caller. */
async function asked(
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
      throw new TargetError(`${error.message}; if the target has no such operation, say so: unreachable: [${name}]`)
    throw error
  }
}

function synchronizersIn(answer: JsonValue | undefined, told: string | undefined): string[] {
  if (answer === undefined) return told === undefined ? [] : [logicalPart(told)]
  const connected = valueAt(answer, '/connectedSynchronizers')
  const ids = (Array.isArray(connected) ? connected : [])
    .map((item) => valueAt(item, '/synchronizerId'))
    .filter((id) => typeof id === 'string')
  if (ids.length === 0) throw new NoSynchronizer()
  return ids
}

async function onboards([synchronizer]: readonly string[], call: Caller): Promise<boolean | string> {
  if (synchronizer === undefined) return 'nothing tells the synchronizer, so that nobody asked'
  return proposesTopology(synchronizer, makeSigningKey('ed25519').publicKey, call)
}

/** What it takes to make a party that signs for itself. */
const onboarding = ['generate-external-topology', 'allocate-external-party']

function withoutOnboarding(unreachable: ReadonlySet<string>): string | undefined {
  const missing = onboarding.find((name) => unreachable.has(name))
  return missing && `the settings say that ${missing} cannot be reached, so that nobody asked`
}
