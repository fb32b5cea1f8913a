import type { JsonValue } from '../../interface/json.js'
import type { Session } from '../execute/perform-step.js'
import type { Actor } from '../suite/suite.js'
import type { Variables } from '../template/variables.js'
import type { Caller } from './discover.js'

/** The user id of an actor in one run. */
export const userIdOf = (actor: string, run: string): string => `conformance-${run}-${actor}`

/** Makes a user of the target for each actor, with its rights. Parties must be allocated by then. Throws `TargetError`. */
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
      rights: rights.flatMap((right) => rightOf(right, parties) ?? []),
    })
  }
}

/** Undefined where the party has not been made: then nothing is done on its behalf. */
function rightOf(right: string, parties: Variables): JsonValue | undefined {
  const [kind = '', party] = right.split(' ')
  if (party === undefined) return { kind: { [kind]: { value: {} } } }
  const allocated = parties.get(party)
  return allocated === undefined ? undefined : { kind: { [kind]: { value: { party: allocated } } } }
}

/** With authorization it takes somebody who may act for the party. */
export function userFor(party: string, { suite, userId }: Session): string | undefined {
  const actor = [...suite.actors.values()].find(({ rights }) => rights.includes(`CanActAs ${party}`))
  return actor && userId(actor.name)
}
