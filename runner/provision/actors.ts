import type { JsonValue } from '../../lib/json/json.js'
import type { Made } from '../../record/types/effects.js'
import type { ResolvedActor } from '../suite/suite.js'
import type { ActorUsers } from '../target/actor-users.js'
import { valueAt } from '../template/pointer.js'
import { userVariable, type Variables } from '../template/variables.js'
import type { Caller } from './caller.js'

/** Revoked at the end of the run. */
export interface GrantedRights {
  user: string
  isMade: boolean
  rights: JsonValue[]
}

/** Part of `Made`. */
interface MadeUsers {
  users: string[]
  rights: Made['rights']
}

export const userIds = ({ byActor }: ActorUsers): Map<string, string> =>
  new Map([...byActor].map(([name, { user }]) => [userVariable(name), user]))

/** Awaits `recordGrant` before each change. Throws `TargetError`. */
export async function createUsers(
  actors: readonly ResolvedActor[],
  { byActor, provisioner }: ActorUsers,
  variables: Variables,
  call: Caller,
  recordGrant: (given: GrantedRights) => Promise<void>,
): Promise<MadeUsers> {
  const made: MadeUsers = { users: [], rights: [] }
  if (!('user' in provisioner)) return made
  for (const { name, rights: wanted } of actors) {
    const actorUser = byActor.get(name)
    if (!actorUser?.isCreated) continue
    const user = { id: actorUser.user, primaryParty: '', isDeactivated: false, identityProviderId: '' }
    const rights = requestRights(wanted, variables)
    await recordGrant({ user: user.id, isMade: true, rights })
    await call('create-user', { user, rights })
    made.users.push(user.id)
  }
  for (const { user, rights: wanted } of grantsIn(byActor, variables)) {
    const rights = requestRights(wanted, variables)
    await recordGrant({ user, isMade: false, rights })
    await call('grant-rights', { userId: user, rights, identityProviderId: '' }, { user })
    made.rights.push({ user, rights: wanted })
  }
  return made
}

export function grantsIn(byActor: ActorUsers['byActor'], parties: ReadonlySet<string> | Variables): Made['rights'] {
  const granted = new Map([...byActor.values()].map(({ user, grants }) => [user, grants]))
  return [...granted].flatMap(([user, grants]) => {
    const rights = grants.filter((right) => parties.has(right.split(' ')[1] ?? ''))
    return rights.length === 0 ? [] : [{ user, rights }]
  })
}

export const createdUsersIn = (actors: readonly ResolvedActor[], byActor: ActorUsers['byActor']): string[] =>
  actors.flatMap(({ name }) => {
    const actorUser = byActor.get(name)
    return actorUser?.isCreated ? [actorUser.user] : []
  })

const requestRights = (rights: readonly string[], variables: Variables): JsonValue[] =>
  rights.flatMap((right): JsonValue[] => {
    const [kind = '', party] = right.split(' ')
    if (party === undefined) return [{ kind: { [kind]: { value: {} } } }]
    const allocated = variables.get(party)
    return allocated === undefined ? [] : [{ kind: { [kind]: { value: { party: allocated } } } }]
  })

export function parseRight(right: JsonValue): { kind: string; party?: string } | undefined {
  const kinds = valueAt(right, '/kind')
  const [[kind, content] = []] = typeof kinds === 'object' && kinds !== null ? Object.entries(kinds) : []
  const party = valueAt(content ?? null, '/value/party')
  return kind === undefined ? undefined : { kind, ...(typeof party === 'string' && { party }) }
}

export function userFor(party: string, actors: readonly ResolvedActor[], { byActor }: ActorUsers): string | undefined {
  const right = `CanActAs ${party}`
  const actor = actors.find(({ name, rights }) => {
    const actorUser = byActor.get(name)
    return actorUser && (actorUser.rights?.has(right) ?? rights.some((one) => one === right))
  })
  return actor && byActor.get(actor.name)?.user
}
