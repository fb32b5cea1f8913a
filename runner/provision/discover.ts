import { grammars, violation } from '../../interface/grammars.js'
import type { SupportName } from '../../interface/operations.js'
import { excerpt, isJsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Reason } from '../../record/types/reason.js'
import type { RecordedCheck } from '../../record/types/record.js'
import { type PublicKey, publicKeyOf } from '../sign/signing-key.js'
import { failureOf, MissingMember, NoSynchronizer, TargetError, TargetRejection } from '../target/target.js'
import { itemsAt, stringAt } from '../template/pointer.js'
import { type AbsentOperations, absenceIn } from './absent-operations.js'
import type { Caller } from './caller.js'

export interface Discovery {
  version: string | undefined
  /** Undefined: unknown. */
  participantId: string | undefined
  /** Empty: unknown. */
  synchronizerIds: string[]
  /** Or why the run cannot onboard them. */
  externalParties: true | Reason
}

interface Discovered extends Discovery {
  absent: AbsentOperations
}

/** Facts stay unknown after a 403, or without the operation. Throws `TargetError` if the target is not a participant. */
export async function discover(
  call: Caller,
  unreachable: ReadonlySet<string>,
  setParticipantId: (participantId: string) => void,
  declared: { synchronizerId?: string | undefined } = {},
): Promise<Discovered> {
  const absent = new Map<string, Reason>()
  const read = (name: SupportName): Promise<JsonValue | undefined> =>
    unreachable.has(name) ? Promise.resolve(undefined) : readIfPermitted(name, call, absent)
  const version = stringAt(await read('version'), '/version')
  const named = await read('participant-id')
  const participantId = stringAt(named, '/participantId')
  if (named && participantId === undefined)
    throw new MissingMember(
      'GET /v2/parties/participant-id',
      'the string participantId',
      named,
      'If the operation is missing, return 404 or add --unreachable participant-id.',
    )
  if (participantId !== undefined) setParticipantId(participantId)
  const connected = await read('connected-synchronizers')
  const synchronizerIds = synchronizersIn(connected, declared.synchronizerId)
  return {
    version,
    participantId,
    synchronizerIds,
    absent,
    externalParties: unreachableOnboarding(unreachable) ?? (await canOnboard(synchronizerIds, call)),
  }
}

async function readIfPermitted(
  name: SupportName,
  call: Caller,
  absent: Map<string, Reason>,
): Promise<JsonValue | undefined> {
  try {
    return await call(name)
  } catch (error) {
    if (error instanceof TargetRejection && error.status === 403) return undefined
    const cause = error instanceof TargetError ? absenceIn(name, error) : undefined
    if (cause === undefined) throw error
    absent.set(name, cause)
    return undefined
  }
}

function synchronizersIn(answer: JsonValue | undefined, declared: string | undefined): string[] {
  if (answer === undefined) return declared === undefined ? [] : [logicalPart(declared)]
  const listed = isJsonObject(answer) ? answer['connectedSynchronizers'] : undefined
  if (Array.isArray(listed) && listed.length === 0) throw new NoSynchronizer()
  const ids = itemsAt(answer, '/connectedSynchronizers').flatMap((item) => stringAt(item, '/synchronizerId') ?? [])
  if (ids.length > 0) return ids
  throw new MissingMember(
    'GET /v2/state/connected-synchronizers',
    Array.isArray(listed)
      ? 'the string synchronizerId in an item of connectedSynchronizers'
      : 'the array connectedSynchronizers',
    answer,
    'To state the synchronizer instead, add --synchronizer ID --unreachable connected-synchronizers.',
  )
}

async function canOnboard([synchronizer]: readonly string[], call: Caller): Promise<true | Reason> {
  if (synchronizer === undefined) return { code: 'synchronizer-unknown' }
  const refused = await proposeTopology(synchronizer, unusedKey, call)
  if (refused === undefined) return true
  const message = violation(grammars.synchronizerId, synchronizer)
  return message === undefined ? refused : { code: 'synchronizer-id-form', found: excerpt(synchronizer, 100), message }
}

/** The public key of the first test of RFC 8032: a proposal needs no signature, and the run can repeat the request. */
const unusedKey = publicKeyOf(
  'ed25519',
  Buffer.from('302a300506032b6570032100d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a', 'hex'),
)

export const onboarding = ['generate-external-topology', 'allocate-external-party'] as const

function unreachableOnboarding(unreachable: ReadonlySet<string>): Reason | undefined {
  const missing = onboarding.find((name) => unreachable.has(name))
  return missing === undefined ? undefined : { code: 'operation-unreachable', operation: missing }
}

/** Read-only. Undefined if the target proposes one. */
async function proposeTopology(synchronizer: string, publicKey: PublicKey, call: Caller): Promise<Reason | undefined> {
  const operation = 'generate-external-topology'
  try {
    await call(operation, { synchronizer, partyHint: 'conformance', publicKey })
    return undefined
  } catch (error) {
    if (error instanceof TargetError) return absenceIn(operation, error) ?? failureOf(error)
    throw error
  }
}

export const logicalPart = (id: string): string => id.replace(/::\d{1,4}-\d+$/, '')

/** The id (an excerpt) of another participant. Undefined: the same one, or unknown. */
export async function findDifferentParticipant(known: string | undefined, call: Caller): Promise<string | undefined> {
  if (known === undefined) return undefined
  const found = await call('participant-id').then(
    (answer) => stringAt(answer, '/participantId'),
    () => undefined,
  )
  if (found === undefined || found === known) return undefined
  return excerpt(found, 100)
}

const ed25519Head = Buffer.from('302a300506032b6570032100', 'hex')

/** Points whose order divides 8. */
const weakPoints: readonly [name: string, bytes: Buffer][] = [
  ['of the neutral point', Buffer.concat([Buffer.from([1]), Buffer.alloc(31)])],
  ['of zeros', Buffer.alloc(32)],
]

/** Read-only. No rule covers these checks. */
export async function checkWeakKeys(synchronizer: string, call: Caller): Promise<RecordedCheck[]> {
  const checks: RecordedCheck[] = []
  for (const [name, point] of weakPoints) {
    const what = `generate-external-topology rejects the Ed25519 key ${name}, for which any client can sign`
    const publicKey = publicKeyOf('ed25519', Buffer.concat([ed25519Head, point]))
    const isProposed = (await proposeTopology(synchronizer, publicKey, call)) === undefined
    checks.push({ what, met: !isProposed, ...(isProposed && { found: 'a topology' }) })
  }
  return checks
}
