import type { JsonValue } from '../../lib/json/json.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import type { ResolvedActor } from '../suite/suite.js'
import { type ActorUser, type ActorUsers, userPrefix } from '../target/actor-users.js'
import {
  administratorActor,
  anyone,
  type Credentials,
  type KnownCaller,
  NoCredential,
  TargetRejection,
  type TargetUsers,
} from '../target/target.js'
import { itemsAt } from '../template/pointer.js'
import { parseRight } from './actors.js'
import type { Caller } from './caller.js'

export interface Assignment {
  target: TargetUsers
  actors: readonly ResolvedActor[]
  fixtures: readonly ResolvedFixture[]
  run: string
  unreachable: ReadonlySet<string>
  parties: ReadonlyMap<string, string>
  /** The run may create users. */
  writes: boolean
}

/** Throws `NoCredential` if the settings name no user. */
export function findDefaultUser({ authorization, callers, administrator }: Assignment['target']): string {
  const [first] = callers.values()
  const known = callers.get(administratorActor) ?? callers.get(anyone)
  const defaultUser = known ?? (authorization.kind === 'given' ? first : { user: administrator })
  if (defaultUser) return defaultUser.user
  throw new NoCredential(
    'the target requires tokens, and the settings give no credential. Add --token administrator=env:NAME.',
  )
}

/** Throws `TargetError` if the target does not answer or returns 401. */
export async function assignUsers(
  assignment: Assignment,
  defaultUser: string,
  as: (user: string) => Caller,
): Promise<ActorUsers> {
  const { target, actors, run } = assignment
  const { kind } = target.authorization
  const held = await readRights(assignment, as)
  const provisioner = chooseProvisioner(assignment, held)
  const byActor = new Map<string, ActorUser>()
  for (const { name, rights } of actors) {
    const caller = findCaller(name, assignment)
    if (!caller) {
      if (kind === 'given') continue
      const isCreated = kind === 'minted'
      if (isCreated && (!('user' in provisioner) || assignment.unreachable.has('create-user'))) continue
      byActor.set(name, { user: userPrefix(run) + name, isCreated, grants: [], isShared: false })
      continue
    }
    const isOwn = target.callers.get(name) === caller
    // A user with unknown rights counts only for the actor that it is named for.
    const assumed = caller === target.callers.get(administratorActor) ? ['ParticipantAdmin'] : []
    const known = held.get(caller.user) ?? (isOwn ? undefined : new Set<string>(assumed))
    const grants = kind === 'none' ? [] : grantsFor(rights, assignment, provisioner)
    const isLimited = kind !== 'none' && known
    byActor.set(name, {
      user: caller.user,
      isCreated: false,
      grants,
      isShared: false,
      ...(isLimited && { rights: known }),
    })
  }
  return {
    byActor: markSharedUsers(byActor),
    provisioner,
    defaultUser,
    canForge: kind === 'minted' || { code: kind === 'none' ? 'no-authorization' : 'no-signing-key' },
    hasOwnAudience: hasOwnAudience(target),
  }
}

/** The settings determine audience or scope of tokens. */
export const hasOwnAudience = ({ authorization }: Credentials): boolean =>
  authorization.kind === 'minted' &&
  (authorization.key.form.audience !== undefined || authorization.key.form.scope !== undefined)

/** Falls back to `anyone`, or to the administrator if the run creates no users. */
function findCaller(actor: string, { target, writes }: Assignment): KnownCaller | undefined {
  const { authorization, callers, administrator } = target
  const own = callers.get(actor) ?? callers.get(anyone)
  if (authorization.kind === 'minted' && !writes)
    return own ?? callers.get(administratorActor) ?? { user: administrator }
  // The run creates a user with exact rights for each other actor.
  if (authorization.kind !== 'given') return actor === administratorActor ? callers.get(anyone) : own
  return own ?? callers.get(administratorActor)
}

function chooseProvisioner(
  { target, unreachable, writes }: Assignment,
  held: ReadonlyMap<string, ReadonlySet<string>>,
): ActorUsers['provisioner'] {
  const { authorization, callers, administrator } = target
  if (!writes) return { code: 'nothing-permitted' }
  if (unreachable.has('allocate-party') && unreachable.has('create-user')) return { code: 'creation-unreachable' }
  const own = callers.get(administratorActor)
  if (own) return { user: own.user }
  if (authorization.kind !== 'given') return { user: administrator }
  const shared = callers.get(anyone)
  if (shared && held.get(shared.user)?.has('ParticipantAdmin')) return { user: shared.user }
  return { code: 'no-administrator' }
}

/** Only over parties that the run allocates. */
function grantsFor(
  rights: readonly string[],
  { fixtures, parties, unreachable }: Assignment,
  provisioner: ActorUsers['provisioner'],
): string[] {
  if (!('user' in provisioner) || unreachable.has('grant-rights')) return []
  const allocated = new Set(fixtures.filter(({ name, party }) => party && !parties.has(name)).map(({ name }) => name))
  return rights.filter((right) => allocated.has(right.split(' ')[1] ?? ''))
}

/** A user of several actors has the grants of all of them. */
function markSharedUsers(byActor: ReadonlyMap<string, ActorUser>): Map<string, ActorUser> {
  return new Map(
    [...byActor].map(([name, actorUser]) => {
      const all = [...byActor.values()].filter(({ user }) => user === actorUser.user)
      const grants = [...new Set(all.flatMap((one) => one.grants))]
      const rights = actorUser.rights && new Set([...actorUser.rights, ...grants])
      return [name, { ...actorUser, grants, isShared: all.length > 1, ...(rights && { rights }) }]
    }),
  )
}

async function readRights(
  { target, parties, unreachable, writes }: Assignment,
  as: (user: string) => Caller,
): Promise<Map<string, ReadonlySet<string>>> {
  const held = new Map<string, ReadonlySet<string>>()
  if (target.authorization.kind === 'none') return held
  const fixtures = new Map([...parties].map(([fixture, party]) => [party, fixture]))
  // Without the permission to write, the administrator serves for other actors.
  const administrator = target.authorization.kind === 'minted' && !writes ? [{ user: target.administrator }] : []
  const callers: KnownCaller[] = [...target.callers.values(), ...administrator]
  for (const { user, rights } of callers) {
    if (rights) held.set(user, new Set(rights))
    else if (!unreachable.has('list-user-rights') && !held.has(user)) {
      const listed = await listRights(user, fixtures, as(user))
      if (listed) held.set(user, listed)
    }
  }
  return held
}

/** A user may list its own rights. Undefined: rejected. */
async function listRights(
  user: string,
  fixtures: ReadonlyMap<string, string>,
  call: Caller,
): Promise<ReadonlySet<string> | undefined> {
  try {
    return rightsIn(await call('list-user-rights', undefined, { user }), fixtures)
  } catch (error) {
    // After a 401 every row would fail.
    if (error instanceof TargetRejection && error.status !== 401) return undefined
    throw error
  }
}

const rightsIn = (answer: JsonValue, fixtures: ReadonlyMap<string, string>): Set<string> =>
  new Set(itemsAt(answer, '/rights').flatMap((right) => rightIn(right, fixtures) ?? []))

/** Undefined for parties outside the suite. */
function rightIn(right: JsonValue, fixtures: ReadonlyMap<string, string>): string | undefined {
  const { kind, party } = parseRight(right) ?? {}
  if (party === undefined) return kind
  const fixture = fixtures.get(party)
  return fixture && `${kind} ${fixture}`
}
