import { leftJournals } from '../changes/journal.js'
import { restoreLeftoverState } from '../changes/leftover-state.js'
import type { Restored } from '../changes/vetting-state.js'
import type { Availability } from '../plan/availability.js'
import { listOmitted } from '../plan/given-fixtures.js'
import type { Limitations } from '../plan/limitations.js'
import { factsByVersion, type Gates } from '../plan/plan.js'
import { assignUsers, findDefaultUser } from '../provision/assign-users.js'
import { knownCapabilities } from '../provision/capabilities.js'
import { type Discovery, discover } from '../provision/discover.js'
import { checkModel, type ModelState } from '../provision/model-packages.js'
import { declaredPreparation, type Preparation } from '../provision/preparation.js'
import { expectKnown, fixturesOfPresigned } from '../provision/presigned-parties.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { type ActorUsers, provisionerOf } from '../target/actor-users.js'
import type { Permissions } from '../target/permissions.js'
import { listUndeclared } from '../target/read-settings.js'
import type { Capabilities } from '../target/target.js'
import type { PresignedParty } from '../target/target-file.js'
import { allowedIn, type RunOptions } from './run-options.js'
import type { ProvisioningSession } from './start-session.js'
import { type OperationSurvey, surveyOperations } from './survey-operations.js'

export interface ExaminedTarget extends OperationSurvey {
  discovery: Discovery
  actorUsers: ActorUsers
  presigned: ReadonlyMap<string, PresignedParty>
  limitations: Limitations
  availability: Availability
  /** Facts of the profile that depend on the protocol version, if no request and no setting shows it. */
  openFacts: ReadonlySet<string> | undefined
  model: ModelState
  capabilities: Capabilities
  declared: Preparation | undefined
  leftoverState: Restored
}

/** Restores leftover state if permitted. Throws `TargetError`. */
export async function examineTarget(
  options: RunOptions,
  suite: ResolvedSuite,
  { id: run, log, as, restoreAs, setParticipantId }: ProvisioningSession,
): Promise<ExaminedTarget> {
  const { access } = options
  const { fixtures, actors } = suite
  const { parties } = access
  const defaultUser = findDefaultUser(options.target)
  const call = as(defaultUser)
  log.begin('discovery')
  const { absent: first, ...discovery } = await discover(call, access.unreachable, setParticipantId, access)
  const presigned = fixturesOfPresigned(fixtures, access.presigned)
  const known = new Set([...parties.keys(), ...presigned.keys()])
  log.begin('operations')
  const survey = await surveyOperations(options, suite, discovery, first, known, call)
  const { unavailable: unreachable } = survey
  const assignment = { target: options.target, actors, fixtures, run, unreachable, parties }
  const assignIf = (writes: boolean): Promise<ActorUsers> => assignUsers({ ...assignment, writes }, defaultUser, as)
  const allowed = allowedIn(options)
  log.begin('rights')
  const actorUsers = await assignIf(allowed.has('write'))
  const ifWritable = allowed.has('write') ? undefined : await assignIf(true)
  const limitations = limitationsOf(unreachable, discovery, presigned)
  const journals = options.results === undefined ? [] : await leftJournals(options.results)
  const leftoverState = await restoreLeftoverState(
    journals.filter(({ isKept }) => !isKept),
    { ...discovery, url: options.target.url },
    restoreAs(provisionerOf(actorUsers)),
    options.isDry ? nothingAllowed : allowed,
  )
  const declared = limitations.prepares ? undefined : declaredPreparation(access, discovery, options.protocolVersion)
  const isVersionOpen = declared !== undefined && declared.protocolVersion === undefined
  log.begin('packages')
  await expectKnown(presigned.values(), call)
  const canUpload = 'user' in (ifWritable ?? actorUsers).provisioner && !unreachable.has('upload-dar')
  const uploading = !canUpload ? 'never' : allowed.has('upload') ? 'permitted' : 'if-permitted'
  const model = await checkModel(options.model ?? [], uploading, discovery, call)
  log.begin(undefined)
  const capabilities = knownCapabilities(options.target, discovery, model, presigned)
  const availability: Availability = {
    actorUsers,
    actors: new Map(actors.map((actor) => [actor.name, actor])),
    unreachable: access.unreachable,
    parties: known,
    unknownVariables: new Map([
      ...findUnknownVariables(discovery),
      ...listUndeclared(access.claims),
      ...listOmitted(fixtures),
    ]),
  }
  if (ifWritable) availability.ifWritable = { ...availability, actorUsers: ifWritable }
  return {
    ...survey,
    discovery,
    actorUsers,
    presigned,
    limitations,
    availability,
    openFacts: isVersionOpen ? factsByVersion(options.profile) : undefined,
    model,
    capabilities,
    declared,
    leftoverState,
  }
}

export const gatesOf = (
  options: RunOptions,
  { absent, limitations, availability, openFacts }: ExaminedTarget,
): Gates => ({ absent, limitations, availability, openFacts, allowed: allowedIn(options) })

const nothingAllowed: Permissions = new Set()

function limitationsOf(
  unreachable: ReadonlySet<string>,
  { externalParties }: Discovery,
  presigned: ReadonlyMap<string, unknown>,
): Limitations {
  return {
    prepares: !unreachable.has('prepare'),
    onboards: externalParties === true,
    presigned: new Set(presigned.keys()),
  }
}

function findUnknownVariables({ participantId, synchronizerIds }: Discovery): Availability['unknownVariables'] {
  const unknown = new Map<string, string | undefined>()
  if (participantId === undefined) unknown.set('participantId', undefined)
  if (synchronizerIds.length === 0) unknown.set('synchronizerId', 'synchronizer')
  return unknown
}
