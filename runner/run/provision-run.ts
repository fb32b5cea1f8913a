import type { JsonValue } from '../../lib/json/json.js'
import type { Made } from '../../record/types/effects.js'
import type { RecordedCheck } from '../../record/types/record.js'
import { PresignedTransactions } from '../execute/presigned-transactions.js'
import { needsAtTarget } from '../plan/given-fixtures.js'
import { type Plan, refinePlan } from '../plan/plan.js'
import { type ExaminedTarget, gatesOf } from '../preflight/examine-target.js'
import { type RunOptions, suiteOf } from '../preflight/run-options.js'
import type { ProvisioningSession } from '../preflight/start-session.js'
import { createUsers, userIds } from '../provision/actors.js'
import { refinedCapabilities } from '../provision/capabilities.js'
import { checkWeakKeys } from '../provision/discover.js'
import { type Fixtures, makeFixtures } from '../provision/fixtures.js'
import { type ModelState, uploadModel } from '../provision/model-packages.js'
import { type Allocation, allocateParties } from '../provision/parties.js'
import { type Preparation, probePreparation } from '../provision/preparation.js'
import { unusedTransactions } from '../provision/presigned-parties.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { provisionerOf } from '../target/actor-users.js'
import type { Capabilities } from '../target/target.js'
import type { RunChanges } from './run-changes.js'

export interface ProvisionedRun {
  suite: ResolvedSuite
  plan: Plan
  fixtures: Fixtures
  presigned?: PresignedTransactions
  capabilities: Capabilities
  protocolVersion: number | undefined
  support: RecordedCheck[]
  made: Made
}

/** Awaits `recordGrant` before each grant. Throws `TargetError` and `NothingSelected`. */
export async function provisionRun(
  options: RunOptions,
  target: ExaminedTarget,
  suite: ResolvedSuite,
  planned: Plan,
  started: ProvisioningSession,
  recordGrant: RunChanges['recordGrant'],
): Promise<ProvisionedRun> {
  const { id, session, log, as } = started
  log.begin('parties')
  const allocation = allocationFor(options, target, planned, id)
  const parties = await allocateParties(suite.fixtures, allocation, session.keys, as(provisionerOf(target.actorUsers)))
  log.begin('users')
  const { actorUsers } = target
  const identities = new Map([...userIds(actorUsers), ...parties.variables])
  const users = await createUsers(suite.actors, actorUsers, identities, as(provisionerOf(actorUsers)), recordGrant)
  log.begin('preparation')
  const preparing =
    target.declared ?? (await probePreparation(parties.variables, actorUsers, suite.actors, target.discovery, as))
  const protocolVersion = options.protocolVersion ?? preparing.protocolVersion
  log.begin('packages')
  const { model, uploaded } = await provideModel(options, target, planned, started)
  const capabilities = refinedCapabilities(target.capabilities, protocolVersion, preparing, model)
  const refined = suiteOf(options, protocolVersion)
  const plan = refinePlan(planned, refined, capabilities, gatesOf(options, target))
  const variables = new Map([...identities, ...runVariables(target, preparing, id), ...options.access.claims])
  log.begin('fixtures')
  const presigned = await presignedFor(target, suite, started)
  const fixtures = await makeFixtures(plan.fixtures, { ...parties, variables }, session, presigned)
  log.begin('keys')
  const support = [...(await checkKeys(target, started)), ...preparing.checks]
  log.begin(undefined)
  return {
    suite: refined,
    plan,
    fixtures,
    ...(presigned && { presigned }),
    capabilities,
    protocolVersion,
    support,
    made: {
      ...users,
      parties: [...parties.made],
      contracts: [...fixtures.contracts],
      // Uploads are permanent, and the resumed run finds the packages of the interrupted one.
      packages: [...new Set([...(options.resume?.record.header.made?.packages ?? []), ...uploaded])],
    },
  }
}

async function presignedFor(
  { presigned, actorUsers }: ExaminedTarget,
  { actors }: ResolvedSuite,
  { as }: ProvisioningSession,
): Promise<PresignedTransactions | undefined> {
  if (presigned.size === 0) return undefined
  return new PresignedTransactions(await unusedTransactions(presigned, actors, actorUsers, as))
}

export function allocationFor(
  { access, profile }: RunOptions,
  { presigned, actorUsers, unavailable, discovery: { synchronizerIds } }: ExaminedTarget,
  plan: Plan,
  run: string,
): Allocation {
  const [synchronizerId = '', ...others] = synchronizerIds
  const needed = new Set(plan.fixtures.map(({ name }) => name))
  const canProvision = 'user' in actorUsers.provisioner
  return {
    run,
    synchronizerId,
    others,
    needed,
    presigned,
    named: access.parties,
    canAllocate: canProvision && !unavailable.has('allocate-party'),
    canOnboard: canProvision,
    mayRefuseKeys: profile.basis === 'text',
  }
}

export function needsModel({ rows, alone, fixtures }: Plan): boolean {
  const known = new Map(fixtures.map((fixture) => [fixture.name, fixture]))
  return [...rows, ...alone].some(({ row }) => needsAtTarget(row, known).includes('conformance-model'))
}

async function provideModel(
  { model: packages = [] }: RunOptions,
  { model, discovery, actorUsers }: ExaminedTarget,
  plan: Plan,
  { as, uploadAs }: ProvisioningSession,
): Promise<{ model: ModelState; uploaded: string[] }> {
  const isWhole = model.capability !== true || model.missing.length + model.wronglyVetted.length === 0
  if (isWhole || !needsModel(plan)) return { model, uploaded: [] }
  return uploadModel(packages, model, discovery, as(provisionerOf(actorUsers)), uploadAs(provisionerOf(actorUsers)))
}

function runVariables(
  { discovery: { participantId, synchronizerIds } }: ExaminedTarget,
  { synchronizerId: prepared }: Preparation,
  run: string,
): Map<string, JsonValue> {
  const [synchronizerId, otherSynchronizerId] = synchronizerIds
  return new Map<string, JsonValue>([
    ['run', run],
    ...(participantId === undefined ? [] : ([['participantId', participantId]] as const)),
    ...(synchronizerId === undefined ? [] : ([['synchronizerId', synchronizerId]] as const)),
    ...(prepared === undefined ? [] : ([['preparedSynchronizerId', prepared]] as const)),
    ...(otherSynchronizerId === undefined ? [] : ([['otherSynchronizerId', otherSynchronizerId]] as const)),
  ])
}

const checkKeys = async (
  { discovery: { externalParties, synchronizerIds }, actorUsers }: ExaminedTarget,
  { as }: ProvisioningSession,
): Promise<RecordedCheck[]> => {
  const [synchronizer] = synchronizerIds
  return externalParties === true && synchronizer !== undefined
    ? checkWeakKeys(synchronizer, as(actorUsers.defaultUser))
    : []
}
