import { redactError } from '../../lib/redaction/redaction.js'
import { cleanExchange, cleanHeader, cleanTexts } from '../../record/file/clean-record.js'
import { openRecord, type WrittenRecord } from '../../record/file/write-record.js'
import { waiversOf } from '../../record/judgements/waivers.js'
import type { RecordedExchange, RecordedOutage, RunHeader, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { SeenChanges, type SentRow } from '../changes/row-changes.js'
import type { Restored } from '../changes/vetting-state.js'
import type { ProfileChoice } from '../doctor/profile-choice.js'
import { RowLimit } from '../execute/row-limit.js'
import { acceptedControl } from '../oracles/judge-oracles.js'
import { requestCount } from '../plan/cost.js'
import { type Plan, planRun } from '../plan/plan.js'
import type { PlannedRow } from '../plan/select.js'
import { expectUsableTarget, type TargetNotices } from '../preflight/check-target.js'
import { type ExaminedTarget, gatesOf } from '../preflight/examine-target.js'
import { expectSame, expectSameProtocol, variablesBefore } from '../preflight/resume.js'
import { type RunOptions, suiteOf } from '../preflight/run-options.js'
import { type StartedSession, startSession } from '../preflight/start-session.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import { EndedBeforeRows } from '../transport/early-end.js'
import { expectationsByText } from './expectations-by.js'
import { type EffectsForecast, type ExpectedDuration, expectedDuration, forecastEffects } from './forecast-effects.js'
import { type PlanSetting, performPlan } from './perform-plan.js'
import { provisionRun } from './provision-run.js'
import { type OracleReading, offsetBefore, readOracles, startLateChecks } from './read-oracles.js'
import { RunChanges } from './run-changes.js'
import { headerOf, refinedHeader, statedHeader } from './run-header.js'

/** In flight at a target of unknown capacity. */
const firstRows = 8

export interface RowsAhead {
  rows: readonly ResolvedRow[]
  alone: readonly ResolvedRow[]
}

export interface PlannedRun {
  choice: ProfileChoice
  rows: number
  /** Rows of the plan that do not run. */
  left: number
  forecast: EffectsForecast
  header: RunHeader
  ahead: RowsAhead
}

export interface RunObserver extends TargetNotices {
  planned(summary: PlannedRun): void
  row(row: RunRow, done: number, total: number): void
  /** Called after the last response of a row, before it is judged; for a repeated row each time. */
  sent?(row: SentRow): void
  /** Called when parties and contracts exist, before the first row. */
  estimated?(estimate: { requests: number; transactions: number; duration: ExpectedDuration }): void
  /** Called at the start and the end of an outage. */
  outage?(outage: RecordedOutage): void
  /** Called before a row that may stop a faulty target. */
  hazard?(planned: PlannedRow): void
}

/**
 * Rejects with `ResolveError`, `TargetError`, `EndedBeforeRows`, `UsageError` or `NothingSelected`.
 * Sends and judges the rows, restores the target, and writes `options.recordFile`. `row` receives the rows in the order
 * of completion.
 * @example
 * const show = (row: RunRow) => console.log(row.id, row.verdict)
 * const record = await run(options, { planned: () => undefined, row: show })
 * record.footer?.counts.fail // 0
 */
export async function run(options: RunOptions, observer: RunObserver): Promise<WrittenRecord> {
  const started = startSession(options, (outage) => observer.outage?.(outage))
  try {
    return await runPhases(started, options, observer)
  } catch (error) {
    throw redactError(error, started.redaction)
  }
}

async function runPhases(started: StartedSession, given: RunOptions, observer: RunObserver): Promise<WrittenRecord> {
  const prepared = await prepareRun(started, given, observer)
  const { options, target, plan, header } = prepared
  const clean = cleanHeader(header, started.redaction)
  if (options.resume) expectSame(options.resume, clean, target.discovery.participantId, allRows(plan))
  announce(prepared, started, observer)
  started.guard.targetHasWorked()
  const changes = new RunChanges(options, target, started)
  try {
    return await runPrepared(prepared, changes, started, observer)
  } finally {
    // Also after an error, when no record is written.
    notifyRestored(observer, started, await changes.settle())
  }
}

interface PreparedRun {
  /** With the profile that judges. */
  options: RunOptions
  choice: ProfileChoice
  suite: ResolvedSuite
  target: ExaminedTarget
  plan: Plan
  header: RunHeader
}

async function prepareRun(started: StartedSession, wanted: RunOptions, observer: RunObserver): Promise<PreparedRun> {
  const { target, choice } = await expectUsableTarget(wanted, started, observer)
  const options = { ...wanted, profile: choice.profile }
  const suite = suiteOf(options)
  notifyRestored(observer, started, target.leftoverState)
  const seed = options.seed ?? started.id
  const plan = planRun(suite, target.capabilities, { ...options, ...gatesOf(options, target), seed })
  const header = headerOf(statedHeader(options, started, seed), target, suite, plan)
  return { options, choice, suite, target, plan, header }
}

async function runPrepared(
  { options, suite, target, plan, header }: PreparedRun,
  changes: RunChanges,
  started: StartedSession,
  observer: RunObserver,
): Promise<WrittenRecord> {
  const begin = await offsetBefore(target, plan, started)
  const provisioned = await provisionRun(options, target, suite, plan, started, changes.recordGrant)
  if (started.end.decided) throw new EndedBeforeRows(started.end.decided)
  if (options.resume) expectSameProtocol(options.resume, provisioned.protocolVersion)
  const { repeat = 1 } = options
  observer.estimated?.({
    requests: requestCount(provisioned.plan) * repeat,
    transactions: provisioned.plan.transactions * repeat,
    duration: expectedDuration(options, provisioned.plan, started.log.medianTimes()),
  })
  const byText = expectationsByText(options.profile, options.suite, provisioned.protocolVersion)
  await changes.watchVetting(provisioned.plan)
  const { fixtures, presigned } = provisioned
  const { session, redaction, guard, end } = started
  const recorded = options.resume ? variablesBefore(options.resume) : fixtures.variables
  const known = cleanHeader(refinedHeader(header, provisioned, recorded), redaction)
  const lateChecks = await startLateChecks(options, target, provisioned, started, (sentence) =>
    observer.notice?.(sentence),
  )
  const setting = {
    session,
    redaction,
    guard,
    end,
    fixtures,
    recorded,
    changes: changes.rows,
    byText,
    lateChecks,
    outages: guard.outages,
    ...(presigned && { presigned }),
  }
  return performAndRecord({ options, target, provisioned, started, begin }, known, setting, changes, observer)
}

const notifyRestored = ({ notice }: RunObserver, { redaction }: StartedSession, { repaired, left }: Restored): void => {
  for (const sentence of [...repaired, ...left]) notice?.(redaction.clean(sentence))
}

const allRows = ({ left, rows, alone }: Plan): PlannedRow[] => [...left, ...rows, ...alone]

function announce(
  { options, choice, suite, target, plan, header }: PreparedRun,
  { id, log, redaction }: StartedSession,
  observer: RunObserver,
): void {
  const before = new Set(options.resume?.rows.map(({ id: judged }) => judged))
  const open = (planned: readonly PlannedRow[]): ResolvedRow[] =>
    planned.flatMap(({ row }) => (before.has(row.id) ? [] : [row]))
  observer.planned({
    choice,
    rows: plan.rows.length + plan.alone.length,
    left: plan.left.length,
    forecast: forecastEffects(options, target, suite, plan, { run: id, times: log.medianTimes() }),
    header: cleanHeader(header, redaction),
    ahead: { rows: open(plan.rows), alone: open(plan.alone) },
  })
}

/** Changes nothing; `<run>` replaces the run id. Throws as `run` does. */
export async function dryRunSuite(options: RunOptions, observer: RunObserver): Promise<void> {
  const started = { ...startSession(options, (outage) => observer.outage?.(outage)), id: '<run>' }
  try {
    announce(await prepareRun(started, { ...options, isDry: true }, observer), started, observer)
  } catch (error) {
    throw redactError(error, started.redaction)
  }
}

async function performAndRecord(
  reading: OracleReading,
  header: RunHeader,
  setting: PlanSetting & { outages: readonly RecordedOutage[] },
  changes: RunChanges,
  observer: RunObserver,
): Promise<WrittenRecord> {
  const { options, target, provisioned } = reading
  const { plan, fixtures } = provisioned
  const { embedded, concurrency, repeat, failFast, beforeAlone, resume, recordFile } = options
  const { end, outages, redaction } = setting
  const begun = performance.now()
  const exchanges = reading.started.log
    .take()
    .map((one): RecordedExchange => ({ type: 'exchange', ...cleanExchange(one, redaction) }))
  const writer = await openRecord(recordFile, header)
  try {
    await Promise.all(exchanges.map((one) => writer.exchange(one)))
    await Promise.all((resume?.rows ?? []).map((row) => writer.row(row)))
    const before = new Set(resume?.rows.map(({ id }) => id))
    const open = (rows: readonly PlannedRow[]): PlannedRow[] => rows.filter(({ row }) => !before.has(row.id))
    const seen = new SeenChanges(fixtures.transactions)
    const written: RunRow[] = []
    await performPlan({ rows: open(plan.rows), alone: open(plan.alone), left: open(plan.left) }, setting, writer, {
      limit: new RowLimit(concurrency, embedded ? concurrency : firstRows),
      repeat,
      failFast,
      beforeAlone,
      run: header.run,
      seed: header.seed,
      waivers: waiversOf(header),
      sent: (row) => {
        seen.row(row)
        observer.sent?.(row)
      },
      hazard: (planned) => observer.hazard?.(planned),
      written: (row) => {
        written.push(row)
        observer.row(row, before.size + written.length, header.plan.length)
      },
    })
    const oracles = await readOracles(reading, header, written)
    if (oracles) await writer.oracles(oracles)
    if (acceptedControl(oracles?.reads ?? [])) seen.control()
    const settled = await changes.settle()
    const left = [...target.leftoverState.left, ...settled.left]
    return await writer.close({
      endedAt: new Date().toISOString(),
      milliseconds: Math.round(performance.now() - begun),
      ...(end.decided && { ended: cleanTexts(end.decided, redaction) }),
      ...(outages.length > 0 && { outages: [...outages] }),
      ...seen.found(),
      ...(settled.withdrawn.length > 0 && { withdrawn: settled.withdrawn }),
      ...(left.length > 0 && { left: left.map((sentence) => redaction.clean(sentence)) }),
    })
  } finally {
    await writer.release()
  }
}
