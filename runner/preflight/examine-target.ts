import { leftJournals } from '../changes/journal.js'
import { type Restored, restoreLeftoverState } from '../changes/leftover-state.js'
import type { Availability } from '../plan/availability.js'
import { type Limitations, unlimited } from '../plan/limitations.js'
import { type AbsentOperations, findAbsentOperations } from '../provision/absent-operations.js'
import { assignUsers, findDefaultUser } from '../provision/assign-users.js'
import { knownCapabilities } from '../provision/capabilities.js'
import { type Discovery, discover } from '../provision/discover.js'
import { checkModel, type ModelState } from '../provision/model-packages.js'
import { declaredPreparation, type Preparation } from '../provision/preparation.js'
import { expectKnown, fixturesOfPresigned } from '../provision/presigned-parties.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { type ActorUsers, provisionerOf } from '../target/actor-users.js'
import type { Capabilities } from '../target/capabilities.js'
import { listUndeclared } from '../target/declared-facts.js'
import type { Permissions } from '../target/permissions.js'
import { defaultAccess, type PresignedParty } from '../target/target-file.js'
import { allowedIn, type RunOptions } from './run-options.js'
import type { StartedSession } from './start-session.js'

/** Facts about the target, read before the first change. */
export interface ExaminedTarget {
  discovery: Discovery
  absent: AbsentOperations
  actorUsers: ActorUsers
  presigned: ReadonlyMap<string, PresignedParty>
  limitations: Limitations
  availability: Availability
  model: ModelState
  capabilities: Capabilities
  /** If the target prepares no transactions. */
  declared: Preparation | undefined
  leftoverState: Restored
}

/** Restores leftover state if permitted, and changes nothing else. Throws `TargetError`. */
export async function examineTarget(
  options: RunOptions,
  { fixtures, actors }: Pick<ResolvedSuite, 'fixtures' | 'actors'>,
  { id: run, as, restoreAs, setParticipantId }: StartedSession,
): Promise<ExaminedTarget> {
  const access = options.access ?? defaultAccess
  const { unreachable, parties } = access
  const defaultUser = findDefaultUser(options.target)
  const call = as(defaultUser)
  const discovery = await discover(call, unreachable, setParticipantId, access)
  const absent = await findAbsentOperations(call, unreachable)
  const assignment = { target: options.target, actors, fixtures, run, unreachable, parties }
  const assignIf = (writes: boolean): Promise<ActorUsers> => assignUsers({ ...assignment, writes }, defaultUser, as)
  const allowed = allowedIn(options)
  const actorUsers = await assignIf(allowed.has('write'))
  const ifWritable = allowed.has('write') ? undefined : await assignIf(true)
  const presigned = fixturesOfPresigned(fixtures, access.presigned)
  const limitations = limitationsOf(options, discovery, presigned)
  const place = { ...discovery, url: options.target.url }
  const journals = options.results === undefined ? [] : await leftJournals(options.results)
  const leftoverState = await restoreLeftoverState(
    journals,
    place,
    restoreAs(provisionerOf(actorUsers)),
    options.isDry ? nothingAllowed : allowed,
  )
  const declared = limitations.prepares ? undefined : declaredPreparation(access, discovery, options.protocolVersion)
  await expectKnown(presigned.values(), call)
  const canUpload = typeof (ifWritable ?? actorUsers).provisioner !== 'string' && !unreachable.has('upload-dar')
  const uploading = !canUpload ? 'never' : allowed.has('upload') ? 'permitted' : 'if-permitted'
  const model = await checkModel(options.model ?? [], uploading, discovery, call)
  const capabilities = knownCapabilities(options.target, discovery, model, presigned)
  const availability: Availability = {
    actorUsers,
    actors: new Map(actors.map((actor) => [actor.name, actor])),
    unreachable,
    parties: new Set([...parties.keys(), ...presigned.keys()]),
    unknownVariables: new Map([...findUnknownVariables(discovery), ...listUndeclared(access.claims)]),
  }
  if (ifWritable) availability.ifWritable = { ...availability, actorUsers: ifWritable }
  return {
    discovery,
    absent,
    actorUsers,
    presigned,
    limitations,
    availability,
    model,
    capabilities,
    declared,
    leftoverState,
  }
}

const nothingAllowed: Permissions = new Set()

function limitationsOf(
  { access }: RunOptions,
  { externalParties }: Discovery,
  presigned: ReadonlyMap<string, unknown>,
): Limitations {
  if (!access) return unlimited
  return {
    prepares: !access.unreachable.has('prepare'),
    onboards: externalParties === true,
    presigned: new Set(presigned.keys()),
  }
}

function findUnknownVariables({ participantId, synchronizerIds }: Discovery): Map<string, string> {
  const unknown = new Map<string, string>()
  if (participantId === undefined) unknown.set('participantId', 'the caller may not read it')
  if (synchronizerIds.length === 0) unknown.set('synchronizerId', 'set synchronizer in the target file')
  return unknown
}
