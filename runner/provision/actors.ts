import type { JsonValue } from '../../interface/json.js'
import type { ResolvedActor } from '../suite/resolved-suite.js'
import { userOf, userVariable } from '../template/callers.js'
import type { Variables } from '../template/variables.js'
import type { Caller } from './caller.js'

/** The user ids of all actors in one run, as variables. */
export const userIds = (actors: readonly ResolvedActor[], run: string): Map<string, string> =>
  new Map(actors.map(({ name }) => [userVariable(name), `conformance-${run}-${name}`]))

/** Makes a user of the target for each actor, with its rights. Parties must be allocated by then. Throws `TargetError`. */
export async function createUsers(actors: Iterable<ResolvedActor>, variables: Variables, call: Caller): Promise<void> {
  for (const { name, rights } of actors) {
    const id = userOf(name, variables) ?? name
    await call('create-user', {
      user: { id, primaryParty: '', isDeactivated: false, identityProviderId: '' },
      rights: rights.flatMap((right) => rightOf(right, variables) ?? []),
    })
  }
}

/** Undefined where the party has not been made: then nothing is done on its behalf. */
function rightOf(right: string, variables: Variables): JsonValue | undefined {
  const [kind = '', party] = right.split(' ')
  if (party === undefined) return { kind: { [kind]: { value: {} } } }
  const allocated = variables.get(party)
  return allocated === undefined ? undefined : { kind: { [kind]: { value: { party: allocated } } } }
}

/** With authorization it takes somebody who may act for the party. */
export function userFor(party: string, actors: readonly ResolvedActor[], variables: Variables): string | undefined {
  const actor = actors.find(({ rights }) => rights.some((right) => right === `CanActAs ${party}`))
  return actor && userOf(actor.name, variables)
}
