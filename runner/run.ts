/** A whole run: resolve, examine, plan, provision, perform, record. What happens on the way is told through the observer. */

import { cleanHeader } from '../record/clean-record.js'
import type { PlanLine, RunFooter, RunHeader, RunRow } from '../record/record.js'
import { openRecord } from '../record/write-record.js'
import { type ExaminedTarget, examineTarget } from './examine-target.js'
import { PresignedTransactions } from './execute/presigned-transactions.js'
import { type OtherProfiles, otherProfiles } from './other-profiles.js'
import { performPlan } from './perform-plan.js'
import { type Plan, planRun, requestCount } from './plan/plan.js'
import { unusedTransactions } from './provision/presigned-parties.js'
import { type ProvisionedRun, provisionRun } from './provision-run.js'
import { resolveSuite } from './resolve/resolve-suite.js'
import { headerOf, refinedHeader } from './run-header.js'
import type { RunOptions } from './run-options.js'
import type { RowSetting } from './run-row.js'
import { type StartedSession, startSession } from './start-session.js'
import { withoutSecrets } from './without-secrets.js'

export interface RunObserver {
  planned(summary: { rows: number; left: number; requests: number; transactions: number; header: RunHeader }): void
  /** A row has ended; `done` of `total` rows have. */
  row(row: RunRow, done: number, total: number): void
}

export interface RunResult {
  header: RunHeader
  footer: RunFooter
}

/**
 * Runs the suite against the target and leaves a run record. Rejects with `ResolveError` (the suite asks for what cannot be
 * sent), `TargetError` (the target cannot be reached or provisioned) or `NothingSelected`; whatever a row meets becomes its
 * verdict instead.
 */
export async function run(options: RunOptions, observer: RunObserver): Promise<RunResult> {
  const started = startSession(options)
  try {
    return await runPhases(started, options, observer)
  } catch (error) {
    throw withoutSecrets(error, started.redaction)
  }
}

async function runPhases(started: StartedSession, options: RunOptions, observer: RunObserver): Promise<RunResult> {
  const suite = resolveSuite(options.suite, options.profile, options.protocolVersion)
  const target = await examineTarget(options, suite, started)
  const seed = options.seed ?? started.id
  const { limitations, means, capabilities } = target
  const planned = planRun(suite, capabilities, { only: options.only, seed, limitations, means })
  const header = headerOf(options, started.id, seed, target, suite, planned)
  announce(planned, cleanHeader(header, started.redaction), observer)
  const provisioned = await provisionRun(options, target, suite, planned, started)
  const others = otherProfiles(options.suite, options.profile, provisioned.protocolVersion)
  const known = cleanHeader(refinedHeader(header, provisioned, others.profiles), started.redaction)
  const setting = await rowSetting(provisioned, target, others, started)
  return { header: known, footer: await performAndRecord(options, known, provisioned.plan, setting, observer) }
}

function announce(plan: Plan, header: RunHeader, observer: RunObserver): void {
  observer.planned({
    rows: plan.rows.length + plan.alone.length,
    left: plan.left.length,
    requests: requestCount(plan),
    transactions: plan.transactions,
    header,
  })
}

async function rowSetting(
  { fixtures, suite }: ProvisionedRun,
  { presigned, cast }: ExaminedTarget,
  { otherwise }: OtherProfiles,
  { session, redaction, as }: StartedSession,
): Promise<RowSetting> {
  const setting = { fixtures, session, redaction, otherwise }
  if (presigned.size === 0) return setting
  const unused = await unusedTransactions(presigned, suite.actors, cast, as)
  return { ...setting, presigned: new PresignedTransactions(unused) }
}

async function performAndRecord(
  { recordFile, concurrency }: RunOptions,
  header: RunHeader,
  plan: Plan,
  setting: RowSetting,
  observer: RunObserver,
): Promise<RunFooter> {
  const begin = performance.now()
  const planned = [...plan.left, ...plan.rows, ...plan.alone]
  const lines = planned.map(({ row }): PlanLine => ({ type: 'plan', row, otherwise: setting.otherwise(row) }))
  const writer = await openRecord(recordFile, header, lines)
  let done = 0
  await performPlan(plan, concurrency, header.run, setting, writer, (row) => {
    done += 1
    observer.row(row, done, planned.length)
  })
  return writer.close({ endedAt: new Date().toISOString(), milliseconds: Math.round(performance.now() - begin) })
}
