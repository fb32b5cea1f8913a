/** Finds out who can play the actors of a suite, and asks what those may do who are there already. */
import type { JsonValue } from '../../lib/json/json.js'
import type { Evidence, RecordedRights } from '../../record/types/record.js'
import type { ResolvedActor, ResolvedFixture } from '../suite/resolved-suite.js'
import { type ActorUser, type ActorUsers, userPrefix } from '../target/actor-users.js'
import {
  administratorActor,
  anyone,
  type KnownCaller,
  type Target,
  TargetError,
  TargetRejection,
} from '../target/target.js'
import { valueAt } from '../template/pointer.js'
import type { Caller } from './caller.js'

export interface Assignment {
  target: Pick<Target, 'authorization' | 'callers' | 'administrator'>
  actors: readonly ResolvedActor[]
  fixtures: readonly ResolvedFixture[]
  run: string
  unreachable: ReadonlySet<string>
  /** Parties that are there already, by their fixtures. */
  parties: ReadonlyMap<string, string>
  /** The run may make things; otherwise those play who are there already. */
  writes: boolean
}

/** The user by whom a run asks what anybody may ask. Throws `TargetError` where nobody has been named at all. */
export function findDefaultUser({ authorization, callers, administrator }: Assignment['target']): string {
  const [first] = callers.values()
  const known = callers.get(administratorActor) ?? callers.get(anyone)
  const defaultUser = known ?? (authorization.kind === 'given' ? first : { user: administrator })
  if (defaultUser) return defaultUser.user
  throw new TargetError(
    'nobody can call: the target asks for tokens, and no credential is given; --token administrator=env:NAME would give one',
  )
}

/** `as`: calls of a user. Throws `TargetError` where the target is not reached, or does not know a caller that it should. */
export async function assignUsers(
  assignment: Assignment,
  defaultUser: string,
  as: (user: string) => Caller,
): Promise<ActorUsers> {
  const { target, actors, run } = assignment
  const asked: RecordedRights[] = []
  const held = await rightsHeld(assignment, as, asked)
  const provisioner = chooseProvisioner(assignment, held)
  const known = (name: string): KnownCaller | undefined => knownCaller(name, assignment)
  const byActor = new Map<string, ActorUser>()
  for (const { name, rights } of actors) {
    const caller = known(name)
    if (!caller && target.authorization.kind === 'given') continue
    if (!caller) {
      const made = target.authorization.kind === 'minted'
      if (made && (typeof provisioner === 'string' || assignment.unreachable.has('create-user'))) continue
      byActor.set(name, { user: userPrefix(run) + name, isCreated: made, grants: [], isShared: false })
      continue
    }
    const isOwn = target.callers.get(name) === caller
    // What nobody tells of a user is believed of the actor that it was named for, and of no other.
    const believed = caller === target.callers.get(administratorActor) ? ['ParticipantAdmin'] : []
    const found = held.get(caller.user) ?? (isOwn ? undefined : new Set<string>(believed))
    const grants = target.authorization.kind === 'none' ? [] : grantsFor(rights, assignment, provisioner)
    const open = target.authorization.kind === 'none' || !found
    byActor.set(name, { user: caller.user, isCreated: false, grants, isShared: false, ...(!open && { rights: found }) })
  }
  return {
    byActor: markSharedUsers(byActor),
    provisioner,
    defaultUser,
    rightsExchanges: asked,
    canForge: forgesOf(target),
    hasOwnAudience:
      target.authorization.kind === 'minted' &&
      (target.authorization.key.form.audience !== undefined || target.authorization.key.form.scope !== undefined),
  }
}

/** Who has no caller of its own is played by anyone, or else by the administrator, where nobody can be made up. */
function knownCaller(actor: string, { target, writes }: Assignment): KnownCaller | undefined {
  const { authorization, callers, administrator } = target
  const own = callers.get(actor) ?? callers.get(anyone)
  if (authorization.kind === 'minted' && !writes)
    return own ?? callers.get(administratorActor) ?? { user: administrator }
  // With a key, everybody else gets a user with just the right rights.
  if (authorization.kind !== 'given') return actor === administratorActor ? callers.get(anyone) : own
  return own ?? callers.get(administratorActor)
}

function chooseProvisioner(
  { target, unreachable, writes }: Assignment,
  held: ReadonlyMap<string, ReadonlySet<string>>,
): ActorUsers['provisioner'] {
  const { authorization, callers, administrator } = target
  if (!writes) return 'the run may not make anything'
  if (unreachable.has('allocate-party') && unreachable.has('create-user'))
    return 'the settings say that nothing can be made'
  const own = callers.get(administratorActor)
  if (own) return { user: own.user }
  if (authorization.kind !== 'given') return { user: administrator }
  const shared = callers.get(anyone)
  if (shared && held.get(shared.user)?.has('ParticipantAdmin')) return { user: shared.user }
  return 'that takes the credential of an administrator'
}

function forgesOf({ authorization }: Assignment['target']): true | string {
  if (authorization.kind === 'minted') return true
  return authorization.kind === 'none' ? 'the target has no authorization' : 'the run holds no key to sign it with'
}

/** Over parties that the run makes, and nothing else: whatever a user may do beyond that is for others to decide. */
function grantsFor(
  rights: readonly string[],
  { fixtures, parties, unreachable }: Assignment,
  provisioner: ActorUsers['provisioner'],
): string[] {
  if (typeof provisioner === 'string' || unreachable.has('grant-rights')) return []
  const made = new Set(fixtures.filter(({ name, party }) => party && !parties.has(name)).map(({ name }) => name))
  return rights.filter((right) => made.has(right.split(' ')[1] ?? ''))
}

/** A user of several actors may do what each of them may. */
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

/** By user; without those of whom nobody tells. */
async function rightsHeld(
  assignment: Assignment,
  as: (user: string) => Caller,
  exchanges: RecordedRights[],
): Promise<Map<string, ReadonlySet<string>>> {
  const { target, parties, unreachable } = assignment
  const held = new Map<string, ReadonlySet<string>>()
  if (target.authorization.kind === 'none') return held
  const names = new Map([...parties].map(([fixture, party]) => [party, fixture]))
  // With a key the administrator may have to play others.
  const isStandIn = target.authorization.kind === 'minted' && !assignment.writes
  const callers: KnownCaller[] = [...target.callers.values(), ...(isStandIn ? [{ user: target.administrator }] : [])]
  for (const { user, rights } of callers) {
    if (rights) held.set(user, new Set(rights))
    else if (!unreachable.has('list-user-rights') && !held.has(user)) {
      const asked = await askRights(user, names, as(user), (evidence) => exchanges.push({ user, evidence }))
      if (asked) held.set(user, asked)
    }
  }
  return held
}

/** Everybody may ask that of himself. */
async function askRights(
  user: string,
  names: ReadonlyMap<string, string>,
  call: Caller,
  received: (evidence: Evidence) => void,
): Promise<ReadonlySet<string> | undefined> {
  try {
    return rightsIn(await call('list-user-rights', undefined, { user }, received), names)
  } catch (error) {
    // Whoever is not let in at all would fail every row.
    if (error instanceof TargetRejection && error.status !== 401) return undefined
    throw error
  }
}

/** The rights that an answer lists; `names`: the fixtures of parties, by their ids. */
export function rightsIn(answer: JsonValue, names: ReadonlyMap<string, string>): Set<string> {
  const listed = valueAt(answer, '/rights')
  return new Set((Array.isArray(listed) ? listed : []).flatMap((right) => rightIn(right, names) ?? []))
}

/** Undefined for parties that the suite has nothing to do with. */
function rightIn(right: JsonValue, names: ReadonlyMap<string, string>): string | undefined {
  const kinds = valueAt(right, '/kind')
  const [[kind, content] = []] = typeof kinds === 'object' && kinds !== null ? Object.entries(kinds) : []
  if (kind === undefined) return undefined
  const party = valueAt(content ?? null, '/value/party')
  if (typeof party !== 'string') return kind
  const fixture = names.get(party)
  return fixture && `${kind} ${fixture}`
}
