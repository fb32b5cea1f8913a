/** One row of a run, from the plan to the record. */
import type { Redaction } from '../interface/redaction.js'
import type { Evidence, RunRow } from '../record/record.js'
import type { OtherExpectations, ResolvedRow } from '../record/resolved-row.js'
import { type ChangeJournal, JournalError } from './changes/journal.js'
import { changesVetting, hasRestored } from './changes/vetting-changes.js'
import type { EarlyEnd } from './execute/early-end.js'
import type { Mishap, OutageGuard } from './execute/outage-guard.js'
import { type PerformedRow, performRow } from './execute/perform-row.js'
import {
  mayBeUsedUp,
  type PresignedTransactions,
  signatureMissing,
  withPresigned,
} from './execute/presigned-transactions.js'
import type { Session } from './execute/session.js'
import { withExpectations } from './judge/by-another-profile.js'
import { judgeKnowingOthers } from './judge/judge-knowing-others.js'
import type { RowVerdict } from './judge/judge-row.js'
import type { PlannedRow } from './plan/select.js'
import type { Fixtures } from './provision/fixtures.js'
import { recordedVariables } from './template/recorded-variables.js'
import type { Variables } from './template/variables.js'

/** What all rows of a run have in common. */
export interface RowSetting {
  fixtures: Fixtures
  /** What the header of the record says already. */
  recorded: Variables
  /** Undefined where the run makes all its keys itself. */
  presigned?: PresignedTransactions
  session: Session
  redaction: Redaction
  guard: OutageGuard
  end: EarlyEnd
  /** Where changes are written down. A text says why nothing may be changed; undefined where nothing need be written down. */
  journal: ChangeJournal | string | undefined
  /** What other profiles expect of a row, by their names. */
  otherwise(row: ResolvedRow): Record<string, OtherExpectations>
}

/** A row that was sent, and what befell it that is not its own doing. */
interface Tried extends EndedRow {
  mishap?: Mishap | undefined
}

/** A row of which everything has been sent. */
export interface EndedRow {
  row: RunRow
  /** Where the ledger may show more of it later: under which marker and step, and the row as it is judged by that as well. */
  late?: { marker: string; step: number; with(look: Evidence): RunRow }
}

/** `markerOf`: what the row marks its requests with; another one where it is sent again. Rows that met an outage are, once, where that can do no harm. */
export async function runRow(
  planned: PlannedRow,
  markerOf: (again: boolean) => string,
  setting: RowSetting,
): Promise<EndedRow> {
  const first = await tryRow(planned, markerOf(false), setting)
  if (!first.mishap) return first
  const isRepeated = first.mishap.repeatable && !setting.end.decided
  const last = isRepeated ? await tryRow(planned, markerOf(true), setting) : first
  if (!last.mishap) return last
  return { row: { ...last.row, verdict: 'blocked', reason: last.mishap.reason, judgements: [] } }
}

/** A row as it was planned, or with what was presigned in place of what it would have prepared. */
async function tryRow(planned: PlannedRow, marker: string, setting: RowSetting): Promise<Tried> {
  const { fixtures, presigned, session } = setting
  const variables = new Map(fixtures.variables).set('row', marker)
  if (!presigned) return performJournalled(planned, variables, setting)
  const next = planned.presigned && presigned.next(planned.presigned.fixture)
  if (typeof next === 'string') return { row: notRun(planned, next) }
  const own = next && planned.presigned ? withPresigned(next, planned.presigned.capture, variables) : variables
  const missing = signatureMissing(planned.row, own, session)
  if (missing !== undefined) return { row: notRun(planned, missing) }
  const tried = await performJournalled(planned, own, setting)
  if (planned.presigned && mayBeUsedUp(tried.row.evidence)) presigned.useUp(planned.presigned.fixture)
  return tried
}

/** What the row changes is on disk before it is sent. */
async function performJournalled(planned: PlannedRow, variables: Variables, setting: RowSetting): Promise<Tried> {
  const { journal } = setting
  const { row } = planned
  if (journal === undefined || !changesVetting(row)) return performAndJudge(planned, variables, setting)
  if (typeof journal === 'string') return { row: notRun({ row, isBlocked: true }, journal) }
  try {
    await journal.changing(row.id)
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    return { row: notRun({ row, isBlocked: true }, error.message) }
  }
  const tried = await performAndJudge(planned, variables, setting)
  // Without evidence nothing was sent.
  if (tried.row.evidence.length === 0 || hasRestored(row, tried.row.evidence)) await journal.restored(row.id)
  return tried
}

async function performAndJudge(
  { row: resolved }: PlannedRow,
  variables: Variables,
  setting: RowSetting,
): Promise<Tried> {
  const { fixtures, guard, end } = setting
  const startedAt = new Date().toISOString()
  const begin = performance.now()
  const ended = (judged: RowVerdict, performed: Pick<PerformedRow, 'evidence' | 'stopped'>): RunRow => ({
    ...{ type: 'row', id: resolved.id },
    ...judged,
    evidence: performed.evidence,
    ...(performed.stopped !== undefined && { stopped: performed.stopped }),
    startedAt,
    milliseconds: Math.round((performance.now() - begin) * 1000) / 1000,
    resolved,
  })
  // The last one: what a fixture needs comes behind it, and is the cause if both could not be made.
  const broken = resolved.fixtures.findLast((name) => fixtures.failed.has(name))
  if (broken !== undefined) {
    const reason = `the fixture ${broken} could not be made: ${fixtures.failed.get(broken) ?? ''}`
    return { row: ended({ verdict: 'blocked', reason, judgements: [] }, { evidence: [] }) }
  }
  const watched = guard.forRow()
  let performed: PerformedRow | undefined
  try {
    const session = { ...setting.session, transport: watched }
    const done = await performRow(resolved, variables, session, () => end.decided !== undefined)
    performed = done
    const own = recordedVariables(done.variables, setting.recorded)
    const row = { ...ended(verdictOf(resolved, done, setting), done), variables: own }
    const look = (evidence: Evidence): RunRow => {
      const seen = { ...done, evidence: [...done.evidence, evidence] }
      const { reason: _, ...rest } = row
      try {
        return { ...rest, ...verdictOf(resolved, seen, setting), evidence: seen.evidence }
      } catch (error) {
        return { ...rest, ...faultyVerdict(error), evidence: seen.evidence }
      }
    }
    const step = stepWithEffects(resolved, done)
    const late = step !== undefined && { marker: String(done.variables.get('row')), step, with: look }
    return { row, mishap: watched.mishap, ...(late && { late }) }
  } catch (error) {
    return { row: ended(faultyVerdict(error), { evidence: performed?.evidence ?? [] }), mishap: watched.mishap }
  }
}

/** A fault of ours that one answer brings about must not cost the rest of the run. */
const faultyVerdict = (error: unknown): RowVerdict => ({
  verdict: 'error',
  reason: `conform could not judge this row: ${error instanceof Error ? error.message : String(error)}`,
  judgements: [],
})

/** The step under test, where it was sent and the ledger can tell more of it. */
function stepWithEffects({ steps }: ResolvedRow, { evidence, cutShort }: PerformedRow): number | undefined {
  const index = steps.findIndex(({ expectations }) => expectations.some(({ kind }) => kind === 'effects'))
  return !cutShort && evidence.some(({ step, role }) => role === 'act' && step === index) ? index : undefined
}

/** Throws the fault that the row has met. */
function verdictOf(resolved: ResolvedRow, performed: PerformedRow, { end, otherwise }: RowSetting): RowVerdict {
  if (performed.fault !== undefined) throw performed.fault
  if (performed.cutShort) {
    return { verdict: 'blocked', reason: end.decided?.sentence ?? 'the run was ended', judgements: [] }
  }
  return judgeKnowingOthers(resolved, performed, () => byOthers(resolved, otherwise))
}

const byOthers = (row: ResolvedRow, otherwise: RowSetting['otherwise']): [string, ResolvedRow][] =>
  Object.entries(otherwise(row)).map(([name, expectations]) => [name, withExpectations(row, expectations)])

/** `reason`: why not. */
export function notRun({ row, isBlocked }: PlannedRow, reason: string): RunRow {
  return {
    type: 'row',
    id: row.id,
    verdict: isBlocked ? 'blocked' : 'not-applicable',
    reason,
    judgements: [],
    evidence: [],
    startedAt: new Date().toISOString(),
    milliseconds: 0,
    resolved: row,
  }
}
