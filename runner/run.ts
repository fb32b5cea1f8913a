/** A whole run: plan, provision, execute, judge, record. What happens on the way is told through the observer. */
import { randomBytes } from 'node:crypto'
import type { JsonValue } from '../interface/json.js'
import { Redaction } from '../interface/redaction.js'
import { cleanHeader, cleanRow } from '../record/clean-record.js'
import type { RecordedCheck, RunFooter, RunHeader, RunRow } from '../record/record.js'
import { openRecord, type RecordWriter } from '../record/write-record.js'
import { GivenTransactions } from './execute/given-transactions.js'
import { inParallel } from './execute/in-parallel.js'
import type { Session } from './execute/perform-step.js'
import { createTokens } from './execute/tokens.js'
import { createTransport } from './execute/transport.js'
import { knownCapabilities, settledCapabilities } from './plan/capabilities.js'
import { type Plan, planRun, requestCount, settlePlan } from './plan/plan.js'
import { everything, type Reach } from './plan/reach.js'
import type { PlannedRow } from './plan/select.js'
import { profileAtVersion } from './profile-at-version.js'
import { createUsers, userIdOf } from './provision/actors.js'
import { administrator, type Caller, callerAs, type Discovery, discover, uploaderAs } from './provision/discover.js'
import { allocateParties, type Fixtures, makeFixtures, neededFixtures } from './provision/fixtures.js'
import { expectKnown, fixturesOfGiven, unusedTransactions } from './provision/given-parties.js'
import { type ModelState, seeModel, uploadModel } from './provision/model.js'
import { askPreparing, type Preparing } from './provision/preparing.js'
import { checkWeakKeys } from './provision/weak-keys.js'
import { withoutPreparing } from './provision/without-preparing.js'
import { recordedVariables } from './recorded-texts.js'
import { headerAtVersion, headerOf } from './run-header.js'
import type { RunOptions } from './run-options.js'
import { notRun, type RowSetting, runRow } from './run-row.js'
import { KeyRing } from './sign/key-ring.js'
import type { Suite } from './suite.js'
import type { GivenParty, TargetAccess } from './target-file/target-file.js'

export interface RunObserver {
  planned(summary: { rows: number; left: number; requests: number; transactions: number; header: RunHeader }): void
  /** A row has ended; `done` of `total` rows have. */
  row(row: RunRow, done: number, total: number): void
}

export interface RunResult {
  header: RunHeader
  footer: RunFooter
}

const noModel = { packages: [], mayUpload: false }

/**
 * Runs the suite against the target and leaves a run record. Rejects with `TargetError` (the target cannot be reached or
 * provisioned) or `NothingSelected`; whatever a row meets becomes its verdict instead.
 */
export async function run(options: RunOptions, observer: RunObserver): Promise<RunResult> {
  const started = startSession(options)
  try {
    return await runWith(started, options, observer)
  } catch (error) {
    throw withoutSecrets(error, started.redaction)
  }
}

/** What went wrong may tell what a target said. */
function withoutSecrets(error: unknown, redaction: Redaction): unknown {
  if (!(error instanceof Error)) return error
  error.message = redaction.clean(error.message)
  if (error.stack !== undefined) error.stack = redaction.clean(error.stack)
  if (error.cause !== undefined) error.cause = withoutSecrets(error.cause, redaction)
  return error
}

async function runWith(started: Started, options: RunOptions, observer: RunObserver): Promise<RunResult> {
  const { id, session, call, redaction } = started
  const target = await lookAt(options, started)
  const { discovery, given, reach, model, capabilities, told } = target
  const seed = options.seed ?? id
  const planned = planRun(options.suite, options.profile, capabilities, options.only, seed, reach)
  const header = headerOf(options, id, seed, capabilities, discovery, planned)
  observer.planned({
    rows: planned.rows.length + planned.serial.length,
    left: planned.left.length,
    requests: requestCount(planned, options.suite),
    transactions: planned.transactions,
    header: cleanHeader(header, redaction),
  })
  const parties = await provisionParties(options, discovery, id, planned, given, session, call)
  const preparing = told ?? (await askPreparing(parties.variables, discovery, session))
  const version = options.protocolVersion ?? preparing.protocolVersion
  const provided = await provideModel(options, model, planned, discovery, session)
  const settled = settledCapabilities(capabilities, version, preparing, provided)
  const plan = settlePlan(planned, settled, options.only)
  const judging = { ...options, profile: profileAtVersion(options.profile, version) }
  const fixtures = await provisionFixtures(judging, discovery, id, parties, preparing, plan, session)
  const support = [...(await weakKeysAt(discovery, call)), ...preparing.checks]
  const known = headerAtVersion(header, version, support, judging, settled)
  const setting = {
    ...{ suite: options.suite, profile: judging.profile, fixtures, session },
    ...(given.size > 0 && { given: new GivenTransactions(await unusedTransactions(given, session)) }),
  }
  const recorded = cleanHeader({ ...known, variables: recordedVariables(fixtures.variables) }, redaction)
  return { header: recorded, footer: await execute(options, recorded, plan, setting, redaction, observer) }
}

interface Started {
  /** Of this run: it is in the names of all that the run makes. */
  id: string
  session: Session
  /** Calls support operations as the administrator. */
  call: Caller
  redaction: Redaction
  /** Tokens are for the participant of that id. */
  learned(participantId: string): void
}

function startSession({ suite, target, timeLimit, redact }: RunOptions): Started {
  const redaction = new Redaction(redact)
  const transport = createTransport(target.url, timeLimit)
  let participantId: string | undefined
  const tokens = createTokens(target, () => participantId, redaction)
  const id = randomBytes(4).toString('hex')
  const session: Session = { suite, transport, tokens, keys: new KeyRing(), userId: (actor) => userIdOf(actor, id) }
  const learned = (found: string): void => {
    participantId = found
  }
  return { id, session, call: callerAs(administrator, transport, tokens), redaction, learned }
}

/** What the target is and can do, as far as it shows before anything is made there. */
async function lookAt(options: RunOptions, { call, learned }: Started) {
  const access = options.access ?? nothingSaid
  const discovery = await discover(call, access.unreachable, learned)
  const given = fixturesOfGiven(options.suite, access.given)
  const reach = reachOf(options, discovery, given)
  // Whatever does not fit is found before anything is made.
  const told = reach.prepares ? undefined : withoutPreparing(access, discovery, options.protocolVersion)
  await expectKnown(given.values(), call)
  const { packages, mayUpload } = options.model ?? noModel
  const model = await seeModel(packages, mayUpload, discovery, call)
  const capabilities = knownCapabilities(options.target, discovery, model, reach)
  return { discovery, given, reach, model, capabilities, told }
}

const weakKeysAt = async (
  { externalParties, synchronizerIds: [synchronizer] }: Discovery,
  call: Caller,
): Promise<RecordedCheck[]> =>
  externalParties === true && synchronizer !== undefined ? checkWeakKeys(synchronizer, call) : []

const nothingSaid: TargetAccess = { file: '', unreachable: new Set(), given: [] }

function reachOf({ access }: RunOptions, { externalParties }: Discovery, given: ReadonlyMap<string, unknown>): Reach {
  if (!access) return everything
  return {
    prepares: !access.unreachable.has('prepare'),
    onboards: externalParties === true,
    given: new Set(given.keys()),
  }
}

/** Uploads the model where rows of the plan need it. */
async function provideModel(
  { model: { packages } = noModel }: RunOptions,
  state: ModelState,
  { rows, serial }: Plan,
  discovery: Discovery,
  { transport, tokens }: Session,
): Promise<ModelState> {
  const isNeeded = [...rows, ...serial].some(({ row }) => row.needs.includes('conformance-model'))
  if (!isNeeded || state.missing.length === 0) return state
  const upload = uploaderAs(administrator, transport, tokens)
  return uploadModel(packages, state.missing, discovery, callerAs(administrator, transport, tokens), upload)
}

async function provisionParties(
  { suite, target }: RunOptions,
  { synchronizerIds }: Discovery,
  id: string,
  plan: Plan,
  given: ReadonlyMap<string, GivenParty>,
  session: Session,
  call: Caller,
): Promise<Fixtures> {
  const [synchronizerId = ''] = synchronizerIds
  const several = synchronizerIds.length > 1
  const wanted = { run: id, synchronizerId, several, needed: fixturesOf(plan, suite), given }
  const parties = await allocateParties(suite, wanted, session.keys, call)
  if (target.authorization.kind !== 'none') await createUsers(suite.actors.values(), id, parties.variables, call)
  return parties
}

const fixturesOf = ({ rows, serial }: Plan, suite: Suite): Set<string> => neededFixtures([...rows, ...serial], suite)

async function provisionFixtures(
  { suite, profile }: RunOptions,
  discovery: Discovery,
  id: string,
  parties: Fixtures,
  preparing: Preparing,
  plan: Plan,
  session: Session,
): Promise<Fixtures> {
  const [synchronizerId = '', otherSynchronizerId] = discovery.synchronizerIds
  const variables = new Map<string, JsonValue>([
    ...parties.variables,
    ['run', id],
    ['participantId', discovery.participantId],
    ['synchronizerId', synchronizerId],
    ...(preparing.synchronizerId === undefined
      ? []
      : ([['preparedSynchronizerId', preparing.synchronizerId]] as const)),
    ...(otherSynchronizerId === undefined ? [] : ([['otherSynchronizerId', otherSynchronizerId]] as const)),
  ])
  const made = await makeFixtures(fixturesOf(plan, suite), variables, profile, session)
  return { variables: made.variables, failed: new Map([...parties.failed, ...made.failed]) }
}

async function execute(
  { recordFile, concurrency }: RunOptions,
  header: RunHeader,
  plan: Plan,
  setting: RowSetting,
  redaction: Redaction,
  observer: RunObserver,
): Promise<RunFooter> {
  const begin = performance.now()
  const writer = await openRecord(recordFile, header)
  const total = plan.rows.length + plan.serial.length + plan.left.length
  let done = 0
  const record = async (judged: RunRow): Promise<void> => {
    const row = cleanRow(judged, redaction)
    await writer.row(row)
    done += 1
    observer.row(row, done, total)
  }
  for (const planned of plan.left) await record(notRun(planned, planned.reason ?? ''))
  const perform = async (planned: PlannedRow, index: number): Promise<void> =>
    record(await runRow(planned, markerOf(header.run, index), setting))
  await inParallel(plan.rows, concurrency, perform)
  await inParallel(plan.serial, 1, (planned, index) => perform(planned, plan.rows.length + index))
  return closeRecord(writer, begin)
}

/** Of fixed width: a marker that begins another one would be found where that one stands. */
const markerOf = (run: string, index: number): string => `${run}-${String(index).padStart(6, '0')}`

const closeRecord = (writer: RecordWriter, begin: number): Promise<RunFooter> =>
  writer.close({ endedAt: new Date().toISOString(), milliseconds: Math.round(performance.now() - begin) })
