/** A whole run: plan, provision, execute, judge, record. What happens on the way is told through the observer. */
import { randomBytes } from 'node:crypto'
import type { JsonValue } from '../interface/json.js'
import { Redaction } from '../interface/redaction.js'
import type { Evidence, Judgement, RunFooter, RunHeader, RunRow } from '../record/record.js'
import { openRecord, type RecordWriter } from '../record/write-record.js'
import { inParallel } from './execute/in-parallel.js'
import { type PerformedRow, performRow } from './execute/perform-row.js'
import type { Session } from './execute/perform-step.js'
import { createTokens } from './execute/tokens.js'
import { createTransport } from './execute/transport.js'
import { judgeRow, type RowVerdict } from './judge/judge-row.js'
import { capabilitiesAt, knownCapabilities } from './plan/capabilities.js'
import { type Capabilities, type Plan, planRun, requestCount, settlePlan } from './plan/plan.js'
import type { PlannedRow } from './plan/select.js'
import { profileAtVersion } from './profile-at-version.js'
import { createUsers, userIdOf } from './provision/actors.js'
import { administrator, type Caller, callerAs, type Discovery, discover, uploaderAs } from './provision/discover.js'
import { allocateParties, type Fixtures, makeFixtures, neededFixtures } from './provision/fixtures.js'
import { type ModelPackage, type ModelState, seeModel, uploadModel } from './provision/model.js'
import { askPreparing, type Preparing } from './provision/preparing.js'
import { recordedTexts, recordedVariables } from './recorded-texts.js'
import { KeyRing } from './sign/key-ring.js'
import type { Profile, Suite } from './suite.js'
import type { Target } from './target.js'

export interface RunOptions {
  suite: Suite
  profile: Profile
  target: Target
  /** The target is the simulator that came with this tool. */
  embedded: boolean
  /** File that the run record is written to. */
  recordFile: string
  tool: { name: string; version: string }
  only?: string
  /** Decides the order of the rows; drawn when absent. */
  seed?: string
  /** The packages that some rows need, and whether those that the target lacks may be uploaded to it. */
  model?: { packages: readonly ModelPackage[]; mayUpload: boolean }
  /** Protocol version of the synchronizer, by which the profile may differ; asked from the target when absent. */
  protocolVersion?: number
  /** Rows in flight at once. */
  concurrency: number
  /** Milliseconds for one exchange. */
  timeLimit: number
  /** What else must not be recorded, beside tokens and keys. */
  redact?: readonly RegExp[]
}

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
  const redaction = new Redaction(options.redact)
  const transport = createTransport(options.target.url, options.timeLimit, redaction)
  let participantId: string | undefined
  const tokens = createTokens(options.target, () => participantId, redaction)
  const id = randomBytes(4).toString('hex')
  const keys = new KeyRing()
  const session: Session = { suite: options.suite, transport, tokens, keys, userId: (actor) => userIdOf(actor, id) }
  const call = callerAs(administrator, transport, tokens)
  const discovery = await discover(call, (learned) => {
    participantId = learned
  })
  const { packages, mayUpload } = options.model ?? noModel
  const model = await seeModel(packages, mayUpload, discovery, call)
  const capabilities = knownCapabilities(options.target, discovery, model)
  const seed = options.seed ?? id
  const planned = planRun(options.suite, options.profile, capabilities, options.only, seed)
  const header = headerOf(options, id, seed, capabilities, discovery, planned)
  observer.planned({
    rows: planned.rows.length + planned.serial.length,
    left: planned.left.length,
    requests: requestCount(planned, options.suite),
    transactions: planned.transactions,
    header,
  })
  const parties = await provisionParties(options, discovery, id, planned, session, call)
  const preparing = await askPreparing(parties.variables, discovery, session)
  const version = options.protocolVersion ?? preparing.protocolVersion
  const { capability } = await provideModel(options, model, planned, discovery, session)
  const hashing = preparing.hashesByThirdScheme || 'no transaction is prepared with it'
  const settled = {
    ...capabilities,
    'conformance-model': capability,
    ...capabilitiesAt(version),
    'hashing-v3': hashing,
    'prepared-synchronizer':
      preparing.synchronizerId !== undefined || 'no transaction is prepared, which would name the synchronizer',
  }
  const plan = settlePlan(planned, settled, options.only)
  const judging = { ...options, profile: profileAtVersion(options.profile, version) }
  const fixtures = await provisionFixtures(judging, discovery, id, parties, preparing, plan, session)
  const known = headerAtVersion(header, version, preparing, judging, settled)
  return { header: known, footer: await execute(judging, known, plan, fixtures, session, redaction, observer) }
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
  session: Session,
  call: Caller,
): Promise<Fixtures> {
  const [synchronizerId = ''] = synchronizerIds
  const wanted = { run: id, synchronizerId, several: synchronizerIds.length > 1, needed: fixturesOf(plan, suite) }
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
  options: RunOptions,
  header: RunHeader,
  plan: Plan,
  fixtures: Fixtures,
  session: Session,
  redaction: Redaction,
  observer: RunObserver,
): Promise<RunFooter> {
  const begin = performance.now()
  const variables = recordedVariables(fixtures.variables)
  const writer = await openRecord(options.recordFile, redaction.cleanAll({ ...header, variables }))
  const total = plan.rows.length + plan.serial.length + plan.left.length
  let done = 0
  const record = async (row: RunRow): Promise<void> => {
    await writer.row(redaction.cleanAll(row))
    done += 1
    observer.row(row, done, total)
  }
  for (const planned of plan.left) await record(notRun(planned))
  const perform = async (planned: PlannedRow, index: number): Promise<void> =>
    record(await performAndJudge(planned, markerOf(header.run, index), options, fixtures, session))
  await inParallel(plan.rows, options.concurrency, perform)
  await inParallel(plan.serial, 1, (planned, index) => perform(planned, plan.rows.length + index))
  return closeRecord(writer, begin)
}

/** Of fixed width: a marker that begins another one would be found where that one stands. */
const markerOf = (run: string, index: number): string => `${run}-${String(index).padStart(6, '0')}`

const closeRecord = (writer: RecordWriter, begin: number): Promise<RunFooter> =>
  writer.close({ endedAt: new Date().toISOString(), milliseconds: Math.round(performance.now() - begin) })

async function performAndJudge(
  planned: PlannedRow,
  marker: string,
  { suite, profile }: RunOptions,
  fixtures: Fixtures,
  session: Session,
): Promise<RunRow> {
  const startedAt = new Date().toISOString()
  const begin = performance.now()
  const row = (judged: Omit<RowVerdict, 'judgements'>, judgements: Judgement[], evidence: Evidence[]): RunRow => ({
    ...identity(planned),
    ...judged,
    judgements,
    evidence,
    startedAt,
    milliseconds: Math.round((performance.now() - begin) * 1000) / 1000,
  })
  // The last one: what a fixture needs comes behind it, and is the cause if both could not be made.
  const broken = [...neededFixtures([planned], suite)].findLast((name) => fixtures.failed.has(name))
  if (broken !== undefined) {
    const reason = `the fixture ${broken} could not be made: ${fixtures.failed.get(broken) ?? ''}`
    return row({ verdict: 'blocked', reason }, [], [])
  }
  const variables = new Map(fixtures.variables).set('row', marker)
  let performed: PerformedRow | undefined
  try {
    performed = await performRow(planned.case, planned.row, variables, session)
    const { judgements, ...judged } = judgeRow(planned.case, planned.row, performed, profile, suite)
    const own = recordedVariables(performed.variables, fixtures.variables)
    return { ...row(judged, judgements, performed.evidence), variables: own }
  } catch (error) {
    // A fault of ours that one answer brings about must not cost the rest of the run.
    const reason = `conform could not judge this row: ${error instanceof Error ? error.message : String(error)}`
    return row({ verdict: 'error', reason }, [], performed?.evidence ?? [])
  }
}

function notRun(planned: PlannedRow): RunRow {
  const startedAt = new Date().toISOString()
  const reason = planned.reason ?? ''
  return {
    ...identity(planned),
    verdict: 'inapplicable',
    reason,
    judgements: [],
    evidence: [],
    startedAt,
    milliseconds: 0,
  }
}

function identity({ case: suiteCase, row, id }: PlannedRow) {
  return {
    type: 'row' as const,
    id,
    case: suiteCase.id,
    row: row.id,
    title: row.title,
    operation: suiteCase.operation,
    rules: row.rules,
    impact: row.impact,
    source: { file: row.place.file, line: row.place.line },
  }
}

function headerOf(
  { suite, profile, target, embedded, tool, concurrency, only }: RunOptions,
  run: string,
  seed: string,
  capabilities: Capabilities,
  discovery: Discovery,
  plan: Plan,
): RunHeader {
  return {
    type: 'header',
    format: 1,
    run,
    tool,
    suite: { version: suite.version, digest: suite.digest, rows: suite.cases.flatMap(({ rows }) => rows).length },
    profile: { name: profile.name, title: profile.title },
    target: {
      url: target.url,
      ...(discovery.version !== undefined && { version: discovery.version }),
      authorization: target.authorization.kind,
      embedded,
    },
    capabilities: had(capabilities),
    seed,
    concurrency,
    ...(only !== undefined && { only }),
    startedAt: new Date().toISOString(),
    planned: plan.rows.length + plan.serial.length + plan.left.length,
    ...recordedTexts(suite, profile),
  }
}

const had = (capabilities: Capabilities): RunHeader['capabilities'] =>
  Object.fromEntries(Object.entries(capabilities).map(([name, value]) => [name, value === true]))

/** The protocol version is only known when there are parties, which is after the plan has been made. */
const headerAtVersion = (
  header: RunHeader,
  version: number | undefined,
  { checks }: Preparing,
  { suite, profile }: RunOptions,
  capabilities: Capabilities,
): RunHeader => ({
  ...header,
  capabilities: had(capabilities),
  support: checks,
  target: { ...header.target, ...(version !== undefined && { protocolVersion: version }) },
  ...recordedTexts(suite, profile),
})
