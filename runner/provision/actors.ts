import type { JsonValue } from '../../interface/json.js'
import type { ResolvedActor } from '../suite/resolved-suite.js'
import type { Cast } from '../target/cast.js'
import { userVariable } from '../template/callers.js'
import type { Variables } from '../template/variables.js'
import type { Caller } from './caller.js'

/** What a run has changed about the users of a target. */
export interface MadeUsers {
  /** Ids of users that are there now, and were not. */
  users: string[]
  /** Rights over parties of the run that users have got who were there before. */
  grants: { user: string; rights: string[] }[]
}

/** The user ids of all actors that somebody plays, as variables. */
export const userIds = ({ players }: Cast): Map<string, string> =>
  new Map([...players].map(([name, { user }]) => [userVariable(name), user]))

/**
 * Makes the users that the cast says, with their rights, and lets those who were there before act for the parties of the run.
 * Parties must be allocated by then. Throws `TargetError`.
 */
export async function createUsers(
  actors: readonly ResolvedActor[],
  { players, maker }: Cast,
  variables: Variables,
  call: Caller,
): Promise<MadeUsers> {
  const made: MadeUsers = { users: [], grants: [] }
  if (typeof maker === 'string') return made
  for (const { name, rights } of actors) {
    const player = players.get(name)
    if (!player?.made) continue
    const user = { id: player.user, primaryParty: '', isDeactivated: false, identityProviderId: '' }
    await call('create-user', { user, rights: rightsOf(rights, variables) })
    made.users.push(player.user)
  }
  const granted = new Map([...players.values()].map(({ user, grants }) => [user, grants]))
  for (const [user, wanted] of granted) {
    const rights = rightsOf(wanted, variables)
    if (rights.length === 0) continue
    await call('grant-rights', { userId: user, rights, identityProviderId: '' }, { user })
    made.grants.push({ user, rights: [...wanted] })
  }
  return made
}

/** Without those over parties that have not been made: then nothing is done on their behalf. */
const rightsOf = (rights: readonly string[], variables: Variables): JsonValue[] =>
  rights.flatMap((right): JsonValue[] => {
    const [kind = '', party] = right.split(' ')
    if (party === undefined) return [{ kind: { [kind]: { value: {} } } }]
    const allocated = variables.get(party)
    return allocated === undefined ? [] : [{ kind: { [kind]: { value: { party: allocated } } } }]
  })

/** A user who may act for the party: with authorization it takes one. */
export function userFor(party: string, actors: readonly ResolvedActor[], { players }: Cast): string | undefined {
  const right = `CanActAs ${party}`
  const able = actors.filter(({ name, rights }) => {
    const player = players.get(name)
    return player && (player.rights?.has(right) ?? rights.some((one) => one === right))
  })
  const [first] = able
  return first && players.get(first.name)?.user
}
