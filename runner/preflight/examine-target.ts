import { leftJournals } from '../changes/journal.js'
import { type Restored, restoreLeftoverState } from '../changes/leftover-state.js'
import type { Availability } from '../plan/availability.js'
import { type Limitations, unlimited } from '../plan/limitations.js'
import { type AbsentOperations, findAbsentOperations } from '../provision/absent-operations.js'
import { assignUsers, findDefaultUser } from '../provision/assign-users.js'
import { knownCapabilities } from '../provision/capabilities.js'
import { type Discovery, discover } from '../provision/discover.js'
import { checkModel, type ModelState } from '../provision/model-packages.js'
import type { Preparation } from '../provision/preparation.js'
import { expectKnown, fixturesOfPresigned } from '../provision/presigned-parties.js'
import { declaredPreparation } from '../provision/without-preparing.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { type ActorUsers, provisionerOf } from '../target/actor-users.js'
import type { Capabilities } from '../target/capabilities.js'
import { listUndeclared } from '../target/declared-facts.js'
import type { Permissions } from '../target/permissions.js'
import { defaultAccess, type PresignedParty } from '../target/target-file.js'
import { allowedIn, type RunOptions } from './run-options.js'
import type { StartedSession } from './start-session.js'

/** What the target is and can do, as far as it shows before anything is made there. */
export interface ExaminedTarget {
  discovery: Discovery
  /** Operations under test that it does not have. */
  absent: AbsentOperations
  /** Who plays the actors, and who makes what there is to be made. */
  actorUsers: ActorUsers
  /** Parties from elsewhere, by the fixtures that they stand for. */
  presigned: ReadonlyMap<string, PresignedParty>
  limitations: Limitations
  availability: Availability
  model: ModelState
  capabilities: Capabilities
  /** What a target file tells of preparing, where nothing is prepared. */
  told: Preparation | undefined
  /** What became of what earlier runs had left changed. */
  leftovers: Restored
}

/**
 * Changes nothing but what earlier runs left changed, which is put back where that may be. Throws `TargetError` where the target
 * cannot be reached, or is another one than the target file says.
 */
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
  const leftovers = await restoreLeftoverState(
    journals,
    place,
    restoreAs(provisionerOf(actorUsers)),
    options.isDry ? nothingAllowed : allowed,
  )
  // Whatever does not fit is found before anything is made.
  const told = limitations.prepares ? undefined : declaredPreparation(access, discovery, options.protocolVersion)
  await expectKnown(presigned.values(), call)
  const isMade = typeof (ifWritable ?? actorUsers).provisioner !== 'string' && !unreachable.has('upload-dar')
  const uploading = !isMade ? 'never' : allowed.has('upload') ? 'permitted' : 'if-permitted'
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
  return { discovery, absent, actorUsers, presigned, limitations, availability, model, capabilities, told, leftovers }
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
  const unknownVariables = new Map<string, string>()
  if (participantId === undefined) unknownVariables.set('participantId', 'the caller may not ask for it')
  if (synchronizerIds.length === 0) unknownVariables.set('synchronizerId', 'synchronizer in the target file would')
  return unknownVariables
}
