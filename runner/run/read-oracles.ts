/** The reads before and after the rows, which show whether the reads between them can be believed. */
import { cachedBy } from '../../lib/made-once.js'
import { cleanExchange } from '../../record/file/clean-record.js'
import type { Evidence, OraclesLine, RunRow } from '../../record/types/record.js'
import { completionReaders } from '../oracles/completion-offsets.js'
import { judgeOracles } from '../oracles/judge-oracles.js'
import { readLast } from '../oracles/last-reads.js'
import { LateChecks } from '../oracles/late-checks.js'
import { LedgerWatch } from '../oracles/ledger-watch.js'
import { anyMarker } from '../oracles/markers.js'
import { readersOf } from '../oracles/readers.js'
import { effectsOf, type ReconciledHeader, readsUpdates, relyingRows } from '../oracles/reconciled-run.js'
import { acceptedIn } from '../oracles/run-requests.js'
import { readLedgerEnd } from '../oracles/update-pages.js'
import type { Plan } from '../plan/plan.js'
import type { ExaminedTarget } from '../preflight/examine-target.js'
import { defaultLateDelay, lateCheckDelay, type RunOptions } from '../preflight/run-options.js'
import type { ProvisioningSession, StartedSession } from '../preflight/start-session.js'
import { repeatControl } from '../provision/fixtures.js'
import { TargetError } from '../target/target.js'
import type { ProvisionedRun } from './provision-run.js'

const needed = ['ledger-end', 'updates']

/** Before the run creates parties. Undefined if no row expects effects, or if the participant serves no such reads. */
export async function offsetBefore(
  target: ExaminedTarget,
  plan: Plan,
  { as, log }: ProvisioningSession,
): Promise<number | undefined> {
  if (!expectsEffects(plan) || !servesReads(target)) return undefined
  log.begin('ledger-end')
  try {
    return await readLedgerEnd(as(target.actorUsers.defaultUser))
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    // The parties of the run are new, so the whole ledger shows no more of them. Without the last reads, one failed request
    // would hide everything that these reads find.
    return 0
  }
}

export interface OracleReading {
  options: RunOptions
  target: ExaminedTarget
  provisioned: ProvisionedRun
  started: ProvisioningSession
  /** Of `offsetBefore`. */
  begin: number | undefined
}

/** Undefined if no row relied on such reads, or if the run ended early. */
export async function readOracles(
  { options, target, provisioned, started, begin }: OracleReading,
  header: ReconciledHeader,
  rows: readonly RunRow[],
): Promise<OraclesLine | undefined> {
  const { session, log, end, as, redaction } = started
  const { suite, plan, fixtures } = provisioned
  const readers = readersOf({ ...suite, variables: fixtures.variables, actorUsers: target.actorUsers }, as)
  if (end.decided) return undefined
  const reads =
    relyingRows(rows).length > 0 && begin !== undefined && readers.length > 0
      ? await readLast({
          readers,
          completionReaders: target.unavailable.has('completions') ? [] : completionReaders(readers, rows),
          begin,
          end,
          log,
          after: lastReadDelay(options, header, rows),
          repeatControl: () => repeatControl(plan.fixtures, fixtures, session, log),
        })
      : []
  if (end.decided) return undefined
  // Most reads are logged exchanges.
  const clean = cachedBy((evidence: Evidence) => cleanExchange({ evidence }, redaction))
  const findings = judgeOracles(
    header,
    rows,
    reads.map((one) => ({ ...one, ...clean(one.evidence) })),
  )
  const sent = log.take().map(({ purpose, ...one }) => ({ operation: purpose, ...one, ...clean(one.evidence) }))
  return sent.length + findings.length > 0 ? { type: 'oracles', reads: sent, findings } : undefined
}

/**
 * `execute` answers before its transaction exists, also where the user switched late checks off. A read at once contradicted
 * participants that need a third of a second.
 */
function lastReadDelay(options: RunOptions, header: ReconciledHeader, rows: readonly RunRow[]): number {
  const delay = lateCheckDelay(options)
  const answersEarly = acceptedIn(rows, header).some(({ updateId }) => updateId === undefined)
  return answersEarly && !options.embedded ? Math.max(delay, defaultLateDelay) : delay
}

/** Some row will read the updates itself or by its late check, so the run reads them after the rows. */
export const repeatsControl = (options: RunOptions, target: ExaminedTarget, { rows, alone }: Plan): boolean =>
  servesReads(target) &&
  [...rows, ...alone].some(({ row }) => readsUpdates(row) || (lateCheckDelay(options) > 0 && effectsOf(row).length > 0))

const servesReads = ({ unavailable }: ExaminedTarget): boolean => !needed.some((name) => unavailable.has(name))

const expectsEffects = ({ rows, alone }: Plan): boolean =>
  [...rows, ...alone].some(({ row }) => effectsOf(row).length > 0)

/** Undefined if no row expects effects, or if the ledger is unreadable. */
export async function startLateChecks(
  options: RunOptions,
  { actorUsers, presigned }: ExaminedTarget,
  { suite: { actors, fixtures }, plan, fixtures: { variables } }: ProvisionedRun,
  { id, end, as }: StartedSession,
  notify: (sentence: string) => void,
): Promise<LateChecks | undefined> {
  if (!expectsEffects(plan)) return undefined
  const readers = readersOf({ actors, fixtures, variables, actorUsers }, as)
  const failed = (why: string): void => notify(`The run cannot detect late effects: ${why}`)
  if (readers.length === 0) {
    failed('no user may read as the parties of the run')
    return undefined
  }
  const marks = [...presigned.values()].flatMap(({ transactions }) => transactions.map(({ mark }) => mark))
  const watch = new LedgerWatch(options.target.url, readers, anyMarker(id, marks))
  try {
    await watch.begin()
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    failed(error.message)
    return undefined
  }
  return new LateChecks(watch, { after: lateCheckDelay(options), end, failed })
}
