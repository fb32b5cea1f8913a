import type { JsonValue } from '../../interface/json.js'
import type { Actor } from '../suite.js'
import { TargetError } from '../target.js'
import type { Variables } from '../variables.js'
import type { Caller } from './discover.js'

/** The user id of an actor in one run. */
export const userIdOf = (actor: string, run: string): string => `conformance-${run}-${actor}`

/** Makes a user of the target for each actor, with its rights. Parties must be allocated. Throws `TargetError`. */
export async function createUsers(
  actors: Iterable<Actor>,
  run: string,
  parties: Variables,
  call: Caller,
): Promise<void> {
  for (const { name, rights } of actors) {
    const id = userIdOf(name, run)
    await call('create-user', {
      user: { id, primaryParty: '', isDeactivated: false, identityProviderId: '' },
      rights: rights.map((right) => rightOf(right, parties)),
    })
  }
}

function rightOf(right: string, parties: Variables): JsonValue {
  const [kind = '', party] = right.split(' ')
  if (party === undefined) return { kind: { [kind]: { value: {} } } }
  const allocated = parties.get(party)
  if (allocated === undefined) throw new TargetError(`the party ${party} could not be allocated`)
  return { kind: { [kind]: { value: { party: allocated } } } }
}
