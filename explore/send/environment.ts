/** Parties and users that one side has for conversations: the suite's own, under names that nobody had before. */
import type { JsonValue } from '../../lib/json/json.js'
import { createUsers, type GrantedRights, userIds } from '../../runner/provision/actors.js'
import { assignUsers } from '../../runner/provision/assign-users.js'
import { allocateParties } from '../../runner/provision/parties.js'
import type { ResolvedActor, ResolvedFixture } from '../../runner/suite/resolved-suite.js'
import { type ActorUsers, provisionerOf } from '../../runner/target/actor-users.js'
import type { Side } from './side.js'

export interface Environment {
  /** Ids by the names that the suite has for them. */
  variables: ReadonlyMap<string, JsonValue>
  /** Names of the parties that sign for themselves, where there are any. */
  external: readonly string[]
  /** Who plays the actors. */
  actorUsers: ActorUsers
}

/** What environments are made of: parties, keys and actors of the suite. */
export interface EnvironmentPlan {
  fixtures: readonly ResolvedFixture[]
  actors: readonly ResolvedActor[]
}

/** The parties of the suite that conversations are about; more would cost a participant more than they show. */
const parties: ReadonlySet<string> = new Set(['alice', 'bob', 'carol', 'eve', 'pia', 'trio'])

export const environmentPlan = (suite: EnvironmentPlan): EnvironmentPlan => ({
  fixtures: suite.fixtures.filter(({ name, party, key }) => (party && parties.has(name)) || key !== undefined),
  actors: suite.actors,
})

/** `giving` is told of every user before it is made. Throws `TargetError` where parties or users cannot be made. */
export async function makeEnvironment(
  side: Side,
  plan: EnvironmentPlan,
  name: string,
  recordGrant: (given: GrantedRights) => Promise<void>,
): Promise<Environment> {
  const { target, discovery, defaultUser, as, keys } = side
  const { fixtures, actors } = plan
  const assignment = { target, actors, fixtures, run: name, unreachable: nothing, parties: nobody, writes: true }
  const actorUsers = await assignUsers(assignment, defaultUser, as)
  const [synchronizerId = '', ...others] = discovery.synchronizerIds
  const [other] = others
  const allocation = {
    ...{ run: name, synchronizerId, others },
    ...{
      needed: parties,
      presigned: nobody,
      named: nobody,
      allocates: true,
      onboards: discovery.externalParties === true,
      keysAreOpen: false,
    },
  }
  const call = as(provisionerOf(actorUsers))
  const allocated = await allocateParties(fixtures, allocation, keys, call)
  const people = new Map([...userIds(actorUsers), ...allocated.variables])
  await createUsers(actors, actorUsers, people, call, recordGrant)
  const external = fixtures.filter(({ party }) => party?.external).map((fixture) => fixture.name)
  return {
    variables: new Map<string, JsonValue>([
      ...people,
      ['synchronizerId', synchronizerId],
      ...(other === undefined ? [] : ([['otherSynchronizerId', other]] as const)),
      ...(discovery.participantId === undefined ? [] : ([['participantId', discovery.participantId]] as const)),
    ]),
    actorUsers,
    external: external.filter((party) => allocated.variables.has(party)),
  }
}

const nothing: ReadonlySet<string> = new Set()
const nobody = new Map<string, never>()
