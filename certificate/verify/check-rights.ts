/** Compares stated rights with listed rights, and derives the available callers. */
import type { RunHeader } from '../../record/types/record.js'
import type { RecordedCaller } from '../../record/types/recorded-target.js'
import { answerOf } from '../../runner/judge/answer.js'
import { isSuccess } from '../../runner/judge/sent-steps.js'
import type { Availability } from '../../runner/plan/availability.js'
import { rightsIn } from '../../runner/provision/assign-users.js'
import type { ResolvedActor, ResolvedSuite } from '../../runner/suite/resolved-suite.js'
import type { ActorUser, ActorUsers } from '../../runner/target/actor-users.js'
import { administratorActor } from '../../runner/target/target.js'
import { variablesOf } from '../../runner/template/variables.js'
import { altered, type BundleFinding, stated, unproven } from '../finding.js'
import { baseOf } from './check-origin.js'

type Provided = Pick<ResolvedSuite, 'actors' | 'fixtures'>

export function checkRights(header: RunHeader, suite: Provided): BundleFinding[] {
  const { callers = [], rights = [], target } = header
  const elsewhere = rights.filter(({ user, evidence: { request } }) => request.url !== rightsUrl(target.url, user))
  const limited = callers.filter((caller) => caller.rights)
  return [
    ...elsewhere.map(({ user }) =>
      altered(`the exchange for the rights of the user ${user} has the URL of a different request`),
    ),
    ...limited.flatMap((caller) => rightsFindings(caller, header, suite)),
  ].filter(({ what }, index, all) => all.findIndex((one) => one.what === what) === index)
}

const rightsUrl = (target: string, user: string): string =>
  `${baseOf(target)}/v2/users/${encodeURIComponent(user)}/rights`

function rightsFindings(caller: RecordedCaller, header: RunHeader, suite: Provided): BundleFinding[] {
  const { user, rights = [], declared } = caller
  const evidence = header.rights?.find((one) => one.user === user)?.evidence
  if (declared && !evidence) return [stated(`the settings, not the target, state the rights of the user ${user}`)]
  const isUnreachable = header.target.file?.unreachable.includes('list-user-rights') === true
  if (!evidence && !isUnreachable)
    return [unproven(`the bundle contains no evidence for the rights of the user ${user}`)]
  const listed =
    evidence && isSuccess(evidence)
      ? rightsIn(answerOf(evidence)?.json ?? null, fixtureNames(header, suite))
      : undefined
  const known = listed ?? new Set(['ParticipantAdmin'])
  const given = grantable(user, header, suite)
  const withheld = [...(listed ?? [])].find((right) => !rights.includes(right))
  const invented = rights.find((right) => !known.has(right) && !given.has(right))
  return [
    ...(withheld === undefined
      ? []
      : [altered(`the target listed ${withheld} for the user ${user}, but the header lacks this right`)]),
    ...(invented === undefined
      ? []
      : [altered(`the header states ${invented} for the user ${user}, but the target did not list this right`)]),
  ]
}

function fixtureNames({ variables }: RunHeader, { fixtures }: Provided): Map<string, string> {
  const known = variablesOf(variables)
  return new Map(
    fixtures.flatMap(({ name, party }) => {
      const id = known.get(name)
      return party && typeof id === 'string' ? [[id, name] as const] : []
    }),
  )
}

/** The rights that the run grants: those of its actors for created parties. */
function grantable(user: string, header: RunHeader, suite: Provided): ReadonlySet<string> {
  const named = namedParties(header, suite)
  const actors = new Set((header.callers ?? []).filter((one) => one.user === user).map(({ actor }) => actor))
  const rights = suite.actors.flatMap((actor) => (actors.has(actor.name) ? actor.rights : []))
  return new Set(
    rights.filter((right) => {
      const [, party] = right.split(' ')
      return party !== undefined && !named.has(party)
    }),
  )
}

function namedParties(header: RunHeader, suite: Provided): Set<string> {
  const made = new Set(header.made?.parties)
  return new Set([...fixtureNames(header, suite)].flatMap(([id, name]) => (made.has(id) ? [] : [name])))
}

/** Undefined for an older header without callers. */
export function availabilityOf(header: RunHeader, suite: Provided): Availability | undefined {
  const { callers } = header
  if (!callers) return undefined
  return {
    actorUsers: actorUsersOf(header, callers),
    actors: new Map(suite.actors.map((actor): [string, ResolvedActor] => [actor.name, actor])),
    unreachable: new Set(header.target.file?.unreachable),
    parties: namedParties(header, suite),
    unknownVariables: new Map(),
  }
}

function actorUsersOf(header: RunHeader, callers: readonly RecordedCaller[]): ActorUsers {
  const { authorization, ownAudience = false } = header.target
  const byActor = callers.map(({ actor, user, made, rights }): [string, ActorUser] => {
    const isShared = callers.some((other) => other.actor !== actor && other.user === user)
    return [actor, { user, isCreated: made, grants: [], isShared, ...(rights && { rights: new Set(rights) }) }]
  })
  return {
    byActor: new Map(byActor),
    provisioner: recordedProvisioner(header, callers),
    defaultUser: '',
    rightsExchanges: [],
    canForge:
      authorization === 'none' ? { code: 'no-authorization' } : authorization !== 'given' || { code: 'no-signing-key' },
    hasOwnAudience: ownAudience,
  }
}

function recordedProvisioner(
  { allowed, target, made }: RunHeader,
  callers: readonly RecordedCaller[],
): ActorUsers['provisioner'] {
  if (allowed && !allowed.includes('write')) return { code: 'nothing-permitted' }
  const unreachable = target.file?.unreachable ?? []
  if (unreachable.includes('allocate-party') && unreachable.includes('create-user'))
    return { code: 'creation-unreachable' }
  const administrator = callers.find(({ actor }) => actor === administratorActor)
  const isAdministrator = administrator && administrator.rights?.includes('ParticipantAdmin') !== false
  if (target.authorization !== 'given' || isAdministrator || made?.parties.length) return { user: '' }
  return { code: 'no-administrator' }
}
