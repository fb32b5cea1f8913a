/** Which protocol version the synchronizer of a target has: no operation tells it, but a prepared transaction does. */

import type { JsonValue } from '../../interface/json.js'
import { decodePreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import { ProtobufError } from '../../interface/protobuf.js'
import type { Session } from '../execute/perform-step.js'
import { valueAt } from '../pointer.js'
import { TargetError } from '../target.js'
import type { Variables } from '../variables.js'
import { administrator, callerAs, type Discovery } from './discover.js'

/** The first version with which transactions name the synchronizer with its version and serial; 34 does not (seen on 3.5.10). */
const firstPhysical = 35

/**
 * Prepares a transaction for some party of the run, which commits nothing, and reads the id of the synchronizer in it.
 * Undefined: there is no party, or the target does not prepare it.
 */
export async function askProtocolVersion(
  parties: Variables,
  { synchronizerIds }: Discovery,
  session: Session,
): Promise<number | undefined> {
  const callable = [...parties].map(([name, party]) => ({ party, user: userFor(name, session) }))
  const { party, user = administrator } = callable.find((one) => one.user !== undefined) ?? callable[0] ?? {}
  if (typeof party !== 'string') return undefined
  const call = callerAs(user, session.transport, session.tokens)
  try {
    const answer = await call('prepare', preparation(party, user, synchronizerIds[0] ?? ''))
    return versionIn(valueAt(answer, '/preparedTransaction'))
  } catch (error) {
    if (error instanceof TargetError) return undefined
    throw error
  }
}

/** With authorization it takes somebody who may act for the party. */
function userFor(party: string, { suite, userId }: Session): string | undefined {
  const actor = [...suite.actors.values()].find(({ rights }) => rights.includes(`CanActAs ${party}`))
  return actor && userId(actor.name)
}

const preparation = (party: string, userId: string, synchronizerId: string): JsonValue => ({
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
})

function versionIn(prepared: JsonValue | undefined): number | undefined {
  const id = typeof prepared === 'string' ? synchronizerIn(prepared) : undefined
  if (id === undefined || id === '') return undefined
  const physical = /::(\d{1,4})-\d+$/.exec(id)?.[1]
  return physical === undefined ? firstPhysical - 1 : Number(physical)
}

function synchronizerIn(base64: string): string | undefined {
  try {
    return decodePreparedTransaction(Buffer.from(base64, 'base64')).metadata?.synchronizerId
  } catch (error) {
    // Cases of the executing operations will say what is wrong with the bytes.
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}
