import type { JsonValue } from '../../lib/json/json.js'
import type { Made } from '../../record/types/effects.js'
import type { ResolvedActor } from '../suite/resolved-suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import { userVariable } from '../template/callers.js'
import type { Variables } from '../template/variables.js'
import type { Caller } from './caller.js'

/** What a run gives to a user, and takes back at its end. */
export interface GrantedRights {
  user: string
  /** The run makes the user. */
  isMade: boolean
  /** As the operations take them. */
  rights: JsonValue[]
}

type MadeUsers = Pick<Made, 'users' | 'rights'>

/** The user ids of all actors that somebody plays, as variables. */
export const userIds = ({ byActor }: ActorUsers): Map<string, string> =>
  new Map([...byActor].map(([name, { user }]) => [userVariable(name), user]))

/**
 * Makes the users that the cast says, with their rights, and lets those who were there before act for the parties of the run.
 * Parties must be allocated by then. `giving` is awaited before each. Throws `TargetError`.
 */
export async function createUsers(
  actors: readonly ResolvedActor[],
  { byActor, provisioner }: ActorUsers,
  variables: Variables,
  call: Caller,
  recordGrant: (given: GrantedRights) => Promise<void>,
): Promise<MadeUsers> {
  const made: MadeUsers = { users: [], rights: [] }
  if (typeof provisioner === 'string') return made
  for (const { name, rights } of actors) {
    const actorUser = byActor.get(name)
    if (!actorUser?.isCreated) continue
    const user = { id: actorUser.user, primaryParty: '', isDeactivated: false, identityProviderId: '' }
    const given = { user: actorUser.user, isMade: true, rights: rightsOf(rights, variables) }
    await recordGrant(given)
    await call('create-user', { user, rights: given.rights })
    made.users.push(actorUser.user)
  }
  for (const { user, rights: wanted } of grantsIn(byActor, variables)) {
    const rights = rightsOf(wanted, variables)
    await recordGrant({ user, isMade: false, rights })
    await call('grant-rights', { userId: user, rights, identityProviderId: '' }, { user })
    made.rights.push({ user, rights: wanted })
  }
  return made
}

/** What users get who were there before; nothing over parties that there will not be. */
export function grantsIn(
  byActor: ActorUsers['byActor'],
  parties: Pick<ReadonlyMap<string, unknown>, 'has'>,
): Made['rights'] {
  const granted = new Map([...byActor.values()].map(({ user, grants }) => [user, grants]))
  return [...granted].flatMap(([user, grants]) => {
    const rights = grants.filter((right) => parties.has(right.split(' ')[1] ?? ''))
    return rights.length === 0 ? [] : [{ user, rights }]
  })
}

/** Users that will be made. */
export const usersIn = (actors: readonly ResolvedActor[], byActor: ActorUsers['byActor']): string[] =>
  actors.flatMap(({ name }) => {
    const actorUser = byActor.get(name)
    return actorUser?.isCreated ? [actorUser.user] : []
  })

/** Without those over parties that have not been made: then nothing is done on their behalf. */
const rightsOf = (rights: readonly string[], variables: Variables): JsonValue[] =>
  rights.flatMap((right): JsonValue[] => {
    const [kind = '', party] = right.split(' ')
    if (party === undefined) return [{ kind: { [kind]: { value: {} } } }]
    const allocated = variables.get(party)
    return allocated === undefined ? [] : [{ kind: { [kind]: { value: { party: allocated } } } }]
  })

/** A user who may act for the party: with authorization it takes one. */
export function userFor(party: string, actors: readonly ResolvedActor[], { byActor }: ActorUsers): string | undefined {
  const right = `CanActAs ${party}`
  const able = actors.filter(({ name, rights }) => {
    const actorUser = byActor.get(name)
    return actorUser && (actorUser.rights?.has(right) ?? rights.some((one) => one === right))
  })
  const [first] = able
  return first && byActor.get(first.name)?.user
}
