/** Which protocol version and hashing schemes the synchronizer of a target has: no operation tells, but a prepared transaction does. */

import { decodePreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import type { HashingScheme } from '../../interface/prepared-transaction/hash-scheme.js'
import { excerpt, type JsonValue } from '../../lib/json/json.js'
import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import type { RecordedCheck } from '../../record/types/record.js'
import { preparedHash } from '../sign/prepared-hash.js'
import type { ResolvedActor } from '../suite/resolved-suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import { TargetError } from '../target/target.js'
import { valueAt } from '../template/pointer.js'
import { userFor } from './actors.js'
import type { Caller } from './caller.js'
import type { Discovery } from './discover.js'
import { versionIn } from './synchronizer-name.js'

/** What the target tells of its synchronizer when it prepares a transaction. */
export interface Preparation {
  /** Undefined: there is no party, or the target does not prepare anything for it. */
  protocolVersion: number | undefined
  /** The synchronizer as prepared transactions name it: with version and serial where these have a place in its id. */
  synchronizerId: string | undefined
  /** It hashes by the third scheme too. */
  hashesByThirdScheme: boolean
  /** Whether what it prepares is what it wants to be signed. */
  checks: RecordedCheck[]
}

const nothing: Preparation = {
  protocolVersion: undefined,
  synchronizerId: undefined,
  hashesByThirdScheme: false,
  checks: [],
}

/** Prepares transactions for some party of the run, which commits nothing. The version is read off the id of the synchronizer in one. */
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
  const prepare = async (scheme: 'V2' | 'V3'): Promise<JsonValue | undefined> => {
    try {
      return await call('prepare', preparation(party, user, synchronizerIds[0] ?? '', scheme))
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

/** Nobody should sign a hash that he has not computed himself: here it is only said whether it is the same. */
function checkHash(answer: JsonValue, scheme: HashingScheme): RecordedCheck {
  const prepared = valueAt(answer, '/preparedTransaction')
  const given = valueAt(answer, '/preparedTransactionHash')
  const own = typeof prepared === 'string' ? preparedHash(prepared, scheme) : undefined
  const what = `the hash that prepare answers is that of the transaction, by scheme ${scheme}`
  const met = own !== undefined && given === own
  return { what, met, ...(!met && { found: `${excerpt(given ?? null, 100)}, and not ${own ?? 'any hash'}` }) }
}

const preparation = (party: string, userId: string, synchronizerId: string, scheme: string): JsonValue => ({
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

function synchronizerIn(prepared: JsonValue | undefined): string | undefined {
  if (typeof prepared !== 'string') return undefined
  try {
    return decodePreparedTransaction(Buffer.from(prepared, 'base64')).metadata?.synchronizerId || undefined
  } catch (error) {
    // Cases of the executing operations will say what is wrong with the bytes.
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}
