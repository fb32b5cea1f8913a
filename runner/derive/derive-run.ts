/**
 * Performs a recorded run again with its recorded answers, by the functions that performed it. Sends nothing and reads no
 * file. Times and keys are those of the record; a key that the record lacks is random.
 */
import { parsed } from '../../lib/json/parsed.js'
import { Redaction } from '../../lib/redaction/redaction.js'
import { withOracleFindings } from '../../record/judgements/oracle-findings.js'
import { waiversOf, withWaivers } from '../../record/judgements/waivers.js'
import type { Reason } from '../../record/types/reason.js'
import type {
  Evidence,
  OracleFinding,
  OraclesLine,
  RunFooter,
  RunHeader,
  RunRecord,
  RunRow,
} from '../../record/types/record.js'
import { nothingToWatch, SeenChanges } from '../changes/row-changes.js'
import type { Session } from '../execute/perform-step.js'
import { mayBeConsumed } from '../execute/presigned-transactions.js'
import type { Tokens } from '../execute/tokens.js'
import { obstacleOf } from '../judge/judge-again.js'
import { acceptedControl } from '../oracles/judge-oracles.js'
import { lateExcerptRequest } from '../oracles/ledger-watch.js'
import { markerOf } from '../oracles/markers.js'
import { mayExecuteRejected } from '../plan/limitations.js'
import { planRun } from '../plan/plan.js'
import type { PlannedRow } from '../plan/select.js'
import { examineTarget, gatesOf } from '../preflight/examine-target.js'
import { type RunOptions, suiteOf } from '../preflight/run-options.js'
import { type ProvisioningSession, within } from '../preflight/start-session.js'
import { callerAs, uploaderAs } from '../provision/caller.js'
import type { ModelPackage } from '../provision/model-packages.js'
import { expectationsByText } from '../run/expectations-by.js'
import { type ProvisionedRun, provisionRun } from '../run/provision-run.js'
import { offsetBefore, readOracles } from '../run/read-oracles.js'
import { optionsIn } from '../run/recorded-settings.js'
import {
  declaredFile,
  headerOf,
  refinedHeader,
  type StatedHeader,
  statedMembers,
  statedTarget,
} from '../run/run-header.js'
import { notRun, type RowSetting, runRow } from '../run/run-row.js'
import type { Profile, Suite } from '../suite/suite.js'
import { EarlyEnd } from '../transport/early-end.js'
import { ExchangeLog } from '../transport/exchange-log.js'
import { compareRow, compareValues, type Difference } from './differences.js'
import { RecordedAnswers, type RecordedConnection } from './recorded-answers.js'
import { RecordedKeys } from './recorded-keys.js'

interface DerivedRows {
  rows: RunRow[]
  /** Rows whose evidence does not permit a verdict, by id. */
  hidden: Map<string, Reason>
}

export interface DerivedRun extends DerivedRows {
  header: RunHeader
  /** Without its reads, which are evidence. */
  oracles?: { findings: OracleFinding[] }
  footer: Pick<RunFooter, 'vetting' | 'transactions'>
  /** Requests that the run would send otherwise. */
  requests: Difference[]
}

export interface DerivedFrom {
  suite: Suite
  profile: Profile
  model: readonly ModelPackage[]
}

/**
 * Undefined if the header states no usable settings. Appends to `requests`, also before it rejects with `TargetError`,
 * `NothingSelected` or `ResolveError`.
 * @example
 * const derived = await deriveRun(record, from)
 * derived?.requests // []: a run would send the recorded requests
 */
export async function deriveRun(
  record: RunRecord,
  from: DerivedFrom,
  requests: Difference[] = [],
): Promise<DerivedRun | undefined> {
  const { exchanges = [], oracles } = record
  const options = optionsIn(record.header, from)
  if (!options) return undefined
  const logged = [
    ...exchanges.map((one, index) => ({ ...one, path: `exchanges[${index}]` })),
    ...(oracles?.reads ?? []).map((one, index) => ({ ...one, path: `oracles.reads[${index}]` })),
  ]
  for (const { path, evidence, redacted } of logged)
    if (redacted && !JSON.stringify(evidence).includes('[redacted'))
      requests.push({ path: `${path}.redacted`, recorded: true, derived: undefined })
  const answers = new RecordedAnswers(connectionOf(record.header), 'exchanges', logged, requests)
  const keys = new RecordedKeys(logged.flatMap(({ drawn = [] }) => drawn))
  const started = recordedSession(record.header, options, { answers, keys })
  const suite = suiteOf(options)
  const target = await examineTarget(options, suite, started)
  const { seed } = record.header
  const plan = planRun(suite, target.capabilities, { ...options, ...gatesOf(options, target), seed })
  const begin = await offsetBefore(target, plan, started)
  const provisioned = await provisionRun(options, target, suite, plan, started, () => Promise.resolve())
  const { variables, transactions } = provisioned.fixtures
  const header = refinedHeader(headerOf(stated(record.header, options), target, suite, plan), provisioned, variables)
  const performed = await deriveRows({ record, options, provisioned, started, keys, requests, header }, from)
  const purposes = started.log.take().map(({ purpose }) => purpose)
  append(
    requests,
    compareValues(
      'exchanges',
      exchanges.map(({ purpose }) => purpose),
      purposes,
    ),
  )
  const read = await readOracles({ options, target, provisioned, started, begin }, header, performed.rows)
  answers.finish()
  const operations = ({ reads = [] }: Partial<OraclesLine> = {}): string[] => reads.map(({ operation }) => operation)
  append(requests, compareValues('oracles.reads', operations(oracles), operations(read)))
  for (const drawn of keys.takeUnused()) requests.push({ path: 'exchanges.drawn', recorded: drawn, derived: undefined })
  const seen = new SeenChanges(transactions)
  for (const row of performed.rows) seen.row(row)
  if (acceptedControl(oracles?.reads ?? [])) seen.control()
  return {
    header,
    rows: withOracleFindings(performed.rows, read?.findings),
    ...(read && { oracles: { findings: read.findings } }),
    footer: seen.found(),
    hidden: performed.hidden,
    requests,
  }
}

/** A record can have more differences than a call has arguments. */
function append(all: Difference[], more: readonly Difference[]): void {
  for (const one of more) all.push(one)
}

/** The target URL in the form of exchanges. */
export function baseOf(target: string): string {
  if (!URL.canParse(target)) return target
  const { origin, pathname } = new URL(target)
  return origin + pathname.replace(/\/$/, '')
}

const connectionOf = ({ target: { url, connection } }: RunHeader): RecordedConnection => ({
  base: baseOf(url),
  headers: connection?.headers ?? [],
})

function stated(header: RunHeader, { access }: RunOptions): StatedHeader {
  const { file: _, ...target } = picked(header.target, statedTarget)
  return { ...picked(header, statedMembers), target: { ...target, ...declaredFile(access) } } as StatedHeader // of its members
}

const picked = <Whole extends object>(whole: Whole, names: readonly (keyof Whole)[]): Partial<Whole> =>
  Object.fromEntries(names.flatMap((name) => (name in whole ? [[name, whole[name]]] : []))) as Partial<Whole> // a part

class WithoutPauses extends EarlyEnd {
  override pause(): Promise<void> {
    return Promise.resolve()
  }
}

function recordedSession(
  { run, target }: RunHeader,
  { access, lateDelay = 0 }: RunOptions,
  { answers, keys }: { answers: RecordedAnswers; keys: RecordedKeys },
): ProvisioningSession {
  const log = new ExchangeLog()
  const transport = log.watch(answers.inOrder)
  const tokens: Tokens = {
    header: async (_, variant) => {
      if (variant?.none) return undefined
      return variant || target.authorization !== 'none' ? 'a token' : undefined
    },
  }
  const session: Session = { transport, tokens, keys, lateDelay, isRecorded: true }
  const as: ProvisioningSession['as'] = (user) => within(access.unreachable, callerAs(user, transport, tokens))
  return {
    id: run,
    session,
    log,
    end: new WithoutPauses(),
    as,
    restoreAs: as,
    uploadAs: (user) => uploaderAs(user, transport, tokens, () => Promise.resolve(undefined)),
    redaction: new Redaction([]),
    setParticipantId: () => undefined,
  }
}

interface Deriving {
  record: RunRecord
  options: RunOptions
  provisioned: ProvisionedRun
  started: ProvisioningSession
  keys: RecordedKeys
  requests: Difference[]
  /** Derived. */
  header: RunHeader
}

async function deriveRows(deriving: Deriving, { suite, profile }: DerivedFrom): Promise<DerivedRows> {
  const { record, provisioned, keys, header } = deriving
  const { rows: together, alone, left } = provisioned.plan
  const byText = expectationsByText(profile, suite, provisioned.protocolVersion)
  const recorded = new Map(record.rows.map((row) => [row.id, row]))
  const waivers = waiversOf(header)
  const hidden = new Map<string, Reason>()
  // Equal copies would double the memory.
  const settled = (derived: RunRow, own: RunRow | undefined): RunRow => {
    const row = withWaivers(derived, waivers)
    return own && compareRow(own, row).length === 0 ? own : row
  }
  const rows = left.map((planned) => {
    const own = recorded.get(planned.row.id)
    return settled(withTimes(notRun(planned, planned.reason), own), own)
  })
  const { presigned } = provisioned
  // In the order of the run, because rows use presigned transactions up.
  for (const [index, planned] of [...together, ...alone].entries()) {
    const row = recorded.get(planned.row.id)
    if (!row) continue
    const obstacle = row.evidence.length > 0 ? obstacleOf(row, planned.row, record.header) : undefined
    if (!obstacle) {
      rows.push(settled(await deriveRow(row, planned, markerIn(row, index, header), byText, deriving), row))
      continue
    }
    hidden.set(row.id, obstacle)
    rows.push({ ...row, resolved: planned.row })
    // The next row uses the next transaction, as in the run.
    if (planned.presigned && mayBeConsumed(row.evidence, mayExecuteRejected(planned.row)))
      presigned?.consume(planned.presigned.fixture)
  }
  keys.use(undefined)
  return { rows, hidden }
}

/** Times are evidence. */
const withTimes = (row: RunRow, recorded: RunRow | undefined): RunRow => ({
  ...row,
  ...(recorded && { startedAt: recorded.startedAt, milliseconds: recorded.milliseconds }),
})

async function deriveRow(
  row: RunRow,
  planned: PlannedRow,
  marker: string,
  byText: RowSetting['byText'],
  { record, options, provisioned, started, keys, requests }: Deriving,
): Promise<RunRow> {
  const { session, redaction, end } = started
  const { fixtures, presigned } = provisioned
  const found: Difference[] = []
  const place = `rows[${row.id}].evidence`
  const exchanges = row.evidence.flatMap((evidence, index) =>
    evidence.role === 'late-check' ? [] : [{ evidence, path: `${place}[${index}]` }],
  )
  const answers = new RecordedAnswers(connectionOf(record.header), place, exchanges, found)
  const setting: RowSetting = {
    session,
    redaction,
    end,
    fixtures,
    recorded: fixtures.variables,
    ...(presigned && { presigned }),
    changes: nothingToWatch,
    byText,
    guard: {
      forRow: () => {
        keys.use(row.evidence.flatMap(({ generated = [] }) => generated))
        return answers.byStep(planned.row.steps)
      },
    },
  }
  const ended = await runRow(planned, () => marker, setting)
  answers.finish()
  const late = row.evidence.find(({ role }) => role === 'late-check')
  if (late) found.push(...compareExcerpt(late, place, ended.late?.step, options.target.url))
  const judged = withTimes(ended.judged(late), row)
  // Only the run knows why it did not send the row, so nothing compares the requests.
  const isUnsent = row.evidence.length === 0 && (row.verdict === 'blocked' || row.verdict === 'error')
  if (!isUnsent) append(requests, found)
  return judged
}

/** The recorded marker if the run could have drawn it, also again after an outage. */
function markerIn({ id, variables }: RunRow, index: number, { run, seed }: RunHeader): string {
  const marker = { run, row: id, seed, index }
  const repeated = markerOf({ ...marker, again: true })
  return parsed(variables?.['row'] ?? 'null') === repeated ? repeated : markerOf({ ...marker, again: false })
}

/** The reads after the last row show the same updates, and those that followed. */
function compareExcerpt(late: Evidence, path: string, step: number | undefined, url: string): Difference[] {
  const { response, startedAt: _, milliseconds: __, ...rest } = late
  const { body, ...recorded } = response ?? { body: { text: '' } }
  const isList = Array.isArray(parsed(body.text ?? ''))
  return [
    ...compareValues(
      path,
      { ...rest, response: recorded },
      { step, role: 'late-check', request: lateExcerptRequest(url), response: { status: 200, headers: [] } },
    ),
    ...(isList ? [] : [{ path: `${path}.response.body.text`, recorded: body.text, derived: '[]' }]),
  ]
}
