import type { JsonValue } from '../../lib/json/json.js'
import { createUsers, type GrantedRights, userIds } from '../../runner/provision/actors.js'
import { assignUsers } from '../../runner/provision/assign-users.js'
import { allocateParties } from '../../runner/provision/parties.js'
import type { ResolvedFixture } from '../../runner/suite/resolved-suite.js'
import type { ResolvedActor } from '../../runner/suite/suite.js'
import { type ActorUsers, provisionerOf } from '../../runner/target/actor-users.js'
import type { Side } from './side.js'

export interface Environment {
  /** Ids by variable. */
  variables: ReadonlyMap<string, JsonValue>
  /** Names of external parties. */
  external: readonly string[]
  actorUsers: ActorUsers
}

export interface EnvironmentPlan {
  fixtures: readonly ResolvedFixture[]
  actors: readonly ResolvedActor[]
}

/** The variables of one side that the other side has too: requests with another variable reach one side alone. */
export const sharedVariables = (own: Environment, other: Environment): ReadonlyMap<string, JsonValue> =>
  new Map([...own.variables].filter(([name]) => other.variables.has(name)))

/** More parties cost requests and reveal little. */
const parties: ReadonlySet<string> = new Set(['alice', 'bob', 'carol', 'eve', 'pia', 'trio'])

export const environmentPlan = (suite: EnvironmentPlan): EnvironmentPlan => ({
  fixtures: suite.fixtures.filter(({ name, party, key }) => (party && parties.has(name)) || key !== undefined),
  actors: suite.actors,
})

/** Calls `recordGrant` before it creates a user. Rejects with `TargetError`, and as `recordGrant` does. */
export async function createEnvironment(
  side: Side,
  { fixtures, actors }: EnvironmentPlan,
  name: string,
  recordGrant: (granted: GrantedRights) => Promise<void>,
): Promise<Environment> {
  const { target, discovery, defaultUser, as, keys } = side
  const assigned = { unreachable: new Set<string>(), parties: new Map<string, never>(), writes: true }
  const actorUsers = await assignUsers({ target, actors, fixtures, run: name, ...assigned }, defaultUser, as)
  const { participantId, synchronizerIds } = discovery
  const [synchronizerId = '', ...others] = synchronizerIds
  const [otherSynchronizerId] = others
  const allocation = {
    run: name,
    synchronizerId,
    others,
    needed: parties,
    presigned: new Map(),
    named: new Map(),
    canAllocate: true,
    canOnboard: discovery.externalParties === true,
  }
  const call = as(provisionerOf(actorUsers))
  const allocated = await allocateParties(fixtures, allocation, keys, call)
  const variables = new Map<string, JsonValue>([...userIds(actorUsers), ...allocated.variables])
  await createUsers(actors, actorUsers, variables, call, recordGrant)
  variables.set('synchronizerId', synchronizerId)
  if (otherSynchronizerId !== undefined) variables.set('otherSynchronizerId', otherSynchronizerId)
  if (participantId !== undefined) variables.set('participantId', participantId)
  const external = fixtures.filter(({ party }) => party?.external).map((fixture) => fixture.name)
  return { variables, actorUsers, external: external.filter((party) => allocated.variables.has(party)) }
}
