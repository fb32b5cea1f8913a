import { leftJournals } from '../changes/journal.js'
import { type Repaired, repairLeftovers } from '../changes/leftover-state.js'
import { type Limitations, unlimited } from '../plan/limitations.js'
import type { Means } from '../plan/means.js'
import { type Absent, findAbsent } from '../provision/absent-operations.js'
import { castActors, speakerOf } from '../provision/assign-users.js'
import { knownCapabilities } from '../provision/capabilities.js'
import { type Discovery, discover } from '../provision/discover.js'
import { type ModelState, seeModel } from '../provision/model-packages.js'
import type { Preparing } from '../provision/preparation.js'
import { expectKnown, fixturesOfPresigned } from '../provision/presigned-parties.js'
import { withoutPreparing } from '../provision/without-preparing.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { type Cast, makerOf } from '../target/actor-users.js'
import type { Capabilities } from '../target/capabilities.js'
import { unclaimed } from '../target/claims.js'
import type { Permissions } from '../target/permissions.js'
import { nothingSaid, type PresignedParty } from '../target/target-file.js'
import { allowedIn, type RunOptions } from './run-options.js'
import type { StartedSession } from './start-session.js'

/** What the target is and can do, as far as it shows before anything is made there. */
export interface ExaminedTarget {
  discovery: Discovery
  /** Operations under test that it does not have. */
  absent: Absent
  /** Who plays the actors, and who makes what there is to be made. */
  cast: Cast
  /** Parties from elsewhere, by the fixtures that they stand for. */
  presigned: ReadonlyMap<string, PresignedParty>
  limitations: Limitations
  means: Means
  model: ModelState
  capabilities: Capabilities
  /** What a target file tells of preparing, where nothing is prepared. */
  told: Preparing | undefined
  /** What became of what earlier runs had left changed. */
  leftovers: Repaired
}

/**
 * Changes nothing but what earlier runs left changed, which is put back where that may be. Throws `TargetError` where the target
 * cannot be reached, or is another one than the target file says.
 */
export async function examineTarget(
  options: RunOptions,
  { fixtures, actors }: Pick<ResolvedSuite, 'fixtures' | 'actors'>,
  { id: run, as, restoring, learned }: StartedSession,
): Promise<ExaminedTarget> {
  const access = options.access ?? nothingSaid
  const { unreachable, parties } = access
  const speaker = speakerOf(options.target)
  const call = as(speaker)
  const discovery = await discover(call, unreachable, learned, access)
  const absent = await findAbsent(call, unreachable)
  const casting = { target: options.target, actors, fixtures, run, unreachable, parties }
  const castIf = (writes: boolean): Promise<Cast> => castActors({ ...casting, writes }, speaker, as)
  const allowed = allowedIn(options)
  const cast = await castIf(allowed.has('write'))
  const ifWritten = allowed.has('write') ? undefined : await castIf(true)
  const presigned = fixturesOfPresigned(fixtures, access.presigned)
  const limitations = limitationsOf(options, discovery, presigned)
  const place = { ...discovery, url: options.target.url }
  const journals = options.results === undefined ? [] : await leftJournals(options.results)
  const leftovers = await repairLeftovers(
    journals,
    place,
    restoring(makerOf(cast)),
    options.isDry ? nothingAllowed : allowed,
  )
  // Whatever does not fit is found before anything is made.
  const told = limitations.prepares ? undefined : withoutPreparing(access, discovery, options.protocolVersion)
  await expectKnown(presigned.values(), call)
  const isMade = typeof (ifWritten ?? cast).maker !== 'string' && !unreachable.has('upload-dar')
  const uploading = !isMade ? 'never' : allowed.has('upload') ? 'permitted' : 'if-permitted'
  const model = await seeModel(options.model ?? [], uploading, discovery, call)
  const capabilities = knownCapabilities(options.target, discovery, model, presigned)
  const means: Means = {
    cast,
    actors: new Map(actors.map((actor) => [actor.name, actor])),
    unreachable,
    parties: new Set([...parties.keys(), ...presigned.keys()]),
    untold: new Map([...untoldOf(discovery), ...unclaimed(access.claims)]),
  }
  if (ifWritten) means.ifWritten = { ...means, cast: ifWritten }
  return { discovery, absent, cast, presigned, limitations, means, model, capabilities, told, leftovers }
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

function untoldOf({ participantId, synchronizerIds }: Discovery): Map<string, string> {
  const untold = new Map<string, string>()
  if (participantId === undefined) untold.set('participantId', 'the caller may not ask for it')
  if (synchronizerIds.length === 0) untold.set('synchronizerId', 'synchronizer in the target file would')
  return untold
}
