import { readPreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import { preparedHash } from '../../interface/prepared-transaction/hash.js'
import type { HashingScheme } from '../../interface/prepared-transaction/hash-encoding.js'
import { excerpt, type JsonValue } from '../../lib/json/json.js'
import type { RecordedCheck } from '../../record/types/record.js'
import type { ResolvedActor } from '../suite/suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import { TargetError } from '../target/target.js'
import type { TargetAccess } from '../target/target-file.js'
import { valueAt } from '../template/pointer.js'
import { userFor } from './actors.js'
import type { Caller } from './caller.js'
import { type Discovery, logicalPart } from './discover.js'

/** From this protocol version on, ids contain version and serial (seen on 3.5.10). */
const firstPhysical = 35

export interface Preparation {
  /** Undefined: unknown. */
  protocolVersion: number | undefined
  /** With version and serial from protocol version 35 on. */
  synchronizerId: string | undefined
  hashesByThirdScheme: boolean
  checks: RecordedCheck[]
}

const nothing: Preparation = {
  protocolVersion: undefined,
  synchronizerId: undefined,
  hashesByThirdScheme: false,
  checks: [],
}

/** Commits nothing. */
export async function probePreparation(
  parties: ReadonlyMap<string, string>,
  actorUsers: ActorUsers,
  actors: readonly ResolvedActor[],
  { synchronizerIds }: Discovery,
  as: (user: string) => Caller,
): Promise<Preparation> {
  const callable = [...parties].map(([name, party]) => ({ party, user: userFor(name, actors, actorUsers) }))
  const { party, user = actorUsers.defaultUser } = callable.find((one) => one.user !== undefined) ?? callable[0] ?? {}
  if (party === undefined) return nothing
  const call = as(user)
  const prepare = async (scheme: HashingScheme): Promise<JsonValue | undefined> => {
    try {
      return await call('prepare', requestFor(party, user, synchronizerIds[0] ?? '', scheme))
    } catch (error) {
      if (error instanceof TargetError) return undefined
      throw error
    }
  }
  const second = await prepare('V2')
  if (second === undefined) return nothing
  const third = await prepare('V3')
  const synchronizerId = synchronizerIn(valueAt(second, '/preparedTransaction'))
  return {
    protocolVersion: versionIn(synchronizerId),
    synchronizerId,
    hashesByThirdScheme: third !== undefined,
    checks: [checkHash(second, 'V2'), ...(third === undefined ? [] : [checkHash(third, 'V3')])],
  }
}

function checkHash(answer: JsonValue, scheme: HashingScheme): RecordedCheck {
  const prepared = valueAt(answer, '/preparedTransaction')
  const given = valueAt(answer, '/preparedTransactionHash')
  const own = typeof prepared === 'string' ? preparedHash(prepared, scheme) : undefined
  const what = `prepare returns the hash of its transaction (scheme ${scheme})`
  const met = own !== undefined && given === own
  const expected = own ?? 'a transaction that can be hashed'
  return { what, met, ...(!met && { found: `${excerpt(given ?? null, 100)}, expected ${expected}` }) }
}

const requestFor = (party: string, userId: string, synchronizerId: string, scheme: HashingScheme): JsonValue => ({
  commands: [
    {
      CreateCommand: {
        templateId: '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping',
        createArguments: { id: 'protocol version', initiator: party, responder: party },
      },
    },
  ],
  commandId: 'protocol version',
  userId,
  actAs: [party],
  synchronizerId,
  packageIdSelectionPreference: [],
  hashingSchemeVersion: `HASHING_SCHEME_VERSION_${scheme}`,
})

/** An id without a version has the version before `firstPhysical`. */
function versionIn(id: string | undefined): number | undefined {
  if (id === undefined) return undefined
  const physical = /::(\d{1,4})-\d+$/.exec(id)?.[1]
  return physical === undefined ? firstPhysical - 1 : Number(physical)
}

/** Rows of the execute operations report defective bytes. */
const synchronizerIn = (prepared: JsonValue | undefined): string | undefined =>
  typeof prepared === 'string' ? readPreparedTransaction(prepared)?.metadata?.synchronizerId || undefined : undefined

/** From the target file. Throws `TargetError` for contradictory settings. */
export function declaredPreparation(
  { synchronizerId: named, presigned }: TargetAccess,
  { synchronizerIds }: Discovery,
  setVersion: number | undefined,
): Preparation {
  const ofPresigned = presigned.flatMap(({ transactions }) => transactions.flatMap((one) => one.synchronizerId ?? []))
  const [synchronizerId, other] = new Set([...ofPresigned, ...(named === undefined ? [] : [named])])
  if (other !== undefined)
    throw new TargetError(
      `the target file names two synchronizers, ${synchronizerId} and ${other}. Use transactions of one synchronizer.`,
    )
  if (synchronizerId !== undefined && !synchronizerIds.includes(logicalPart(synchronizerId)))
    throw new TargetError(
      `the target file names the synchronizer ${synchronizerId}, but the target is connected to ${synchronizerIds.join(', ')}`,
    )
  const shownVersion = versionIn(synchronizerId)
  const isNamedAlone = ofPresigned.length === 0 && shownVersion !== undefined && shownVersion < firstPhysical
  if (setVersion !== undefined && shownVersion !== undefined && !canShow(shownVersion, setVersion))
    throw new TargetError(
      `transactions of protocol version ${setVersion} cannot name the synchronizer ${synchronizerId}. Correct protocol-version or the synchronizer.`,
    )
  // A bare id does not distinguish the older versions.
  const protocolVersion = setVersion ?? (isNamedAlone ? undefined : shownVersion)
  const hashesByThirdScheme = (protocolVersion ?? 0) >= firstPhysical
  return { protocolVersion, synchronizerId, hashesByThirdScheme, checks: [] }
}

/** Older versions share one form of id. */
const canShow = (shown: number, version: number): boolean =>
  shown < firstPhysical ? version < firstPhysical : version === shown
