/** A whole run: resolve, examine, plan, provision, perform, settle, record. What happens on the way is told through the observer. */
import { cleanHeader } from '../record/clean-record.js'
import type { PlanLine, RecordedOutage, RunFooter, RunHeader, RunRow } from '../record/record.js'
import { openRecord, type RecordWriter } from '../record/write-record.js'
import { type ExaminedTarget, examineTarget } from './examine-target.js'
import { EndedBeforeRows } from './execute/early-end.js'
import { PresignedTransactions } from './execute/presigned-transactions.js'
import { type OtherProfiles, otherProfiles } from './other-profiles.js'
import { performPlan } from './perform-plan.js'
import { type Plan, planRun, requestCount } from './plan/plan.js'
import type { PlannedRow } from './plan/select.js'
import { unusedTransactions } from './provision/presigned-parties.js'
import { type ProvisionedRun, provisionRun } from './provision-run.js'
import { resolveSuite } from './resolve/resolve-suite.js'
import { expectSame, expectSameProtocol, variablesBefore } from './resume.js'
import { headerOf, refinedHeader } from './run-header.js'
import type { RunOptions } from './run-options.js'
import type { RowSetting } from './run-row.js'
import { type WatchedChanges, watchChanges } from './settle-changes.js'
import { type StartedSession, startSession } from './start-session.js'
import { withoutSecrets } from './without-secrets.js'

export interface RunObserver {
  /** `latency`: milliseconds that the target took for a question, as far as that was measured. */
  planned(summary: {
    rows: number
    left: number
    requests: number
    transactions: number
    latency: number | undefined
    header: RunHeader
  }): void
  /** A row has ended; `done` of `total` rows have. */
  row(row: RunRow, done: number, total: number): void
  /** The target does not answer, or answers again. */
  outage?(outage: RecordedOutage): void
  /** A row is about to be sent that may stop a faulty target. */
  hazard?(planned: PlannedRow): void
  /** Something that people should know, as a sentence. */
  notice?(sentence: string): void
}

export interface RunResult {
  header: RunHeader
  footer: RunFooter
}

/**
 * Runs the suite against the target and leaves a run record. Rejects with `ResolveError` (the suite asks for what cannot be
 * sent), `TargetError` (the target cannot be reached or provisioned), `EndedBeforeRows`, `ResumeError` or `NothingSelected`;
 * whatever a row meets becomes its verdict instead, and what ends the run early stands in the footer.
 */
export async function run(options: RunOptions, observer: RunObserver): Promise<RunResult> {
  const started = startSession(options, (outage) => observer.outage?.(outage))
  try {
    return await runPhases(started, options, observer)
  } catch (error) {
    throw withoutSecrets(error, started.redaction)
  }
}

async function runPhases(started: StartedSession, options: RunOptions, observer: RunObserver): Promise<RunResult> {
  const suite = resolveSuite(options.suite, options.profile, options.protocolVersion)
  const target = await examineTarget(options, suite, started)
  const { repaired, left } = target.leftovers
  for (const sentence of [...repaired, ...left]) observer.notice?.(started.redaction.clean(sentence))
  const seed = options.seed ?? started.id
  const { limitations, means, capabilities } = target
  const planned = planRun(suite, capabilities, { only: options.only, seed, limitations, means })
  const header = headerOf(options, started.id, seed, target, suite, planned)
  const clean = cleanHeader(header, started.redaction)
  const { participantId } = target.discovery
  if (options.resume) expectSame(options.resume, clean, participantId, allRows(planned))
  announce(planned, clean, started, observer)
  started.guard.targetHasWorked()
  const provisioned = await provisionRun(options, target, suite, planned, started)
  if (started.end.decided) throw new EndedBeforeRows(started.end.decided)
  if (options.resume) expectSameProtocol(options.resume, provisioned.protocolVersion)
  const ids = new Set(allRows(provisioned.plan).map(({ row }) => row.id))
  const others = otherProfiles(options.suite, options.profile, provisioned.protocolVersion, ids)
  const changes = await watchChanges(options, target, provisioned.plan, started)
  const setting = await rowSetting(options, provisioned, target, others, changes, started)
  const known = cleanHeader(refinedHeader(header, provisioned, others.profiles, setting.recorded), started.redaction)
  const footer = await performAndRecord(options, known, provisioned.plan, setting, [target, changes], observer)
  return { header: known, footer }
}

const allRows = ({ left, rows, alone }: Plan): PlannedRow[] => [...left, ...rows, ...alone]

function announce(plan: Plan, header: RunHeader, { guard }: StartedSession, observer: RunObserver): void {
  observer.planned({
    rows: plan.rows.length + plan.alone.length,
    left: plan.left.length,
    requests: requestCount(plan),
    transactions: plan.transactions,
    latency: guard.latency(),
    header,
  })
}

async function rowSetting(
  { resume }: RunOptions,
  { fixtures, suite }: ProvisionedRun,
  { presigned, cast }: ExaminedTarget,
  { otherwise }: OtherProfiles,
  changes: WatchedChanges,
  { session, redaction, guard, end, as }: StartedSession,
): Promise<RowSetting> {
  const recorded = resume ? variablesBefore(resume) : fixtures.variables
  const setting = { fixtures, recorded, session, redaction, guard, end, changes, otherwise }
  if (presigned.size === 0) return setting
  const unused = await unusedTransactions(presigned, suite.actors, cast, as)
  return { ...setting, presigned: new PresignedTransactions(unused) }
}

/** Whatever happens to the record, what the rows have changed is put back. */
async function performAndRecord(
  options: RunOptions,
  header: RunHeader,
  plan: Plan,
  setting: RowSetting,
  [{ leftovers }, changes]: [ExaminedTarget, WatchedChanges],
  observer: RunObserver,
): Promise<RunFooter> {
  const begin = performance.now()
  const { end, guard, redaction } = setting
  const left = [...leftovers.left]
  let writer: RecordWriter
  let done: number
  try {
    writer = await recordPlan(options, header, plan, setting)
    done = await performRest(options, header, plan, setting, writer, observer)
  } finally {
    const settled = await changes.settle()
    left.push(...settled.left)
    for (const sentence of [...settled.repaired, ...settled.left]) observer.notice?.(redaction.clean(sentence))
  }
  return writer.close({
    endedAt: new Date().toISOString(),
    milliseconds: Math.round(performance.now() - begin),
    ...(end.decided && {
      ended: { ...end.decided, sentence: howFar(redaction.clean(end.decided.sentence), done, header.planned) },
    }),
    ...(guard.outages.length > 0 && { outages: guard.outages }),
    // They tell what the target said.
    ...(left.length > 0 && { left: left.map((sentence) => redaction.clean(sentence)) }),
  })
}

const howFar = (sentence: string, done: number, total: number): string =>
  `${sentence} ${done} of ${total} planned rows had ended.`

/** The whole plan before anything of it is sent; of a run that goes on, what it had judged behind it. */
async function recordPlan(
  { recordFile, resume }: RunOptions,
  header: RunHeader,
  plan: Plan,
  { otherwise }: RowSetting,
): Promise<RecordWriter> {
  const lines = allRows(plan).map(({ row }): PlanLine => ({ type: 'plan', row, otherwise: otherwise(row) }))
  const writer = await openRecord(recordFile, header, resume ? resume.record.plan : lines)
  for (const row of resume?.rows ?? []) await writer.row(row)
  return writer
}

/** Gives the number of rows that have ended, those of before included. */
async function performRest(
  { concurrency, resume }: RunOptions,
  { run, planned: total }: RunHeader,
  { rows, alone, left }: Plan,
  setting: RowSetting,
  writer: RecordWriter,
  observer: RunObserver,
): Promise<number> {
  const before = new Set(resume?.rows.map(({ id }) => id))
  const isOpen = ({ row }: PlannedRow): boolean => !before.has(row.id)
  let done = before.size
  await performPlan(
    { rows: rows.filter(isOpen), alone: alone.filter(isOpen), left: left.filter(isOpen) },
    setting,
    writer,
    {
      concurrency,
      run,
      hazard: (planned) => observer.hazard?.(planned),
      written: (row) => {
        done += 1
        observer.row(row, done, total)
      },
    },
  )
  return done
}
