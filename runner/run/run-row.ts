import type { Reason } from '../../record/types/reason.js'
import type { Evidence, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { type Verdict, verdicts } from '../../record/types/verdict.js'
import { changesVetting, hasRestored, type RowChanges } from '../changes/row-changes.js'
import { type PerformedRow, performRow } from '../execute/perform-row.js'
import {
  findMissingSignature,
  mayBeConsumed,
  type PresignedTransactions,
  withPresigned,
} from '../execute/presigned-transactions.js'
import type { RowVerdict } from '../judge/judge-row.js'
import { type ExplainedVerdict, judgeWithText } from '../judge/judge-with-text.js'
import { mayExecuteRejected } from '../plan/limitations.js'
import type { PlannedRow } from '../plan/select.js'
import type { StartedSession } from '../preflight/start-session.js'
import type { Fixtures } from '../provision/fixtures.js'
import { recordedVariables, type Variables } from '../template/variables.js'
import { isUnavailable } from '../transport/availability.js'
import type { EarlyEnd } from '../transport/early-end.js'
import type { Disruption, OutageGuard } from '../transport/outage-guard.js'
import type { ExpectationsBy } from './expectations-by.js'

export interface RowSetting extends Pick<StartedSession, 'session' | 'redaction' | 'end'> {
  guard: Pick<OutageGuard, 'forRow'>
  fixtures: Fixtures
  recorded: Variables
  presigned?: PresignedTransactions
  changes: Pick<RowChanges, 'begin' | 'end'>
  received?: (evidence: Evidence) => void
  byText: ExpectationsBy
}

interface Tried extends EndedRow {
  disruption?: Disruption | undefined
}

export interface EndedRow {
  evidence: readonly Evidence[]
  judged(late?: Evidence): RunRow
  late?: { marker: string; step: number }
}

/** Repeats a row once after an outage, unless that could change the result. */
export async function runRow(
  planned: PlannedRow,
  markerOf: (again: boolean) => string,
  setting: RowSetting,
): Promise<EndedRow> {
  const first = await tryRow(planned, markerOf(false), setting)
  if (!first.disruption || hasStoppedTarget(planned.row, first.evidence)) return first
  const isRepeated = first.disruption.repeatable && !setting.end.decided
  const last = isRepeated ? await tryRow(planned, markerOf(true), setting) : first
  if (!last.disruption) return last
  const { known: _, byText: __, verdictByText: ___, ...row } = last.judged()
  return asJudged({ ...row, verdict: 'blocked', reason: last.disruption.reason, judgements: [] })
}

const asJudged = (row: RunRow): EndedRow => ({ evidence: row.evidence, judged: () => row })

async function tryRow(planned: PlannedRow, marker: string, setting: RowSetting): Promise<Tried> {
  const { fixtures, presigned, session } = setting
  const variables = new Map(fixtures.variables).set('row', marker)
  if (!presigned) return performJournalled(planned, variables, setting)
  const next = planned.presigned && presigned.next(planned.presigned.fixture)
  if (next && 'code' in next) return asJudged(notRun(planned, next))
  const own = next && planned.presigned ? withPresigned(next, planned.presigned.capture, variables) : variables
  const missing = findMissingSignature(planned.row, own, session)
  if (missing) return asJudged(notRun(planned, missing))
  const tried = await performJournalled(planned, own, setting)
  if (planned.presigned && mayBeConsumed(tried.evidence, mayExecuteRejected(planned.row)))
    presigned.consume(planned.presigned.fixture)
  return tried
}

async function performJournalled(planned: PlannedRow, variables: Variables, setting: RowSetting): Promise<Tried> {
  const { changes } = setting
  const { row } = planned
  if (!changesVetting(row)) return performAndJudge(planned, variables, setting)
  const reason = await changes.begin(row.id)
  if (reason) return asJudged(notRun({ row, isBlocked: true }, reason))
  const tried = await performAndJudge(planned, variables, setting)
  // Without evidence nothing was sent.
  await changes.end(row.id, tried.evidence.length === 0 || hasRestored(row, tried.evidence))
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
  const sinceBegin = (): number => Math.round((performance.now() - begin) * 1000) / 1000
  const ended = (judged: ExplainedVerdict, performed: Pick<PerformedRow, 'evidence' | 'stopped'>): RunRow => ({
    type: 'row',
    id: resolved.id,
    ...judged,
    evidence: performed.evidence,
    ...(performed.stopped !== undefined && { stopped: performed.stopped }),
    startedAt,
    milliseconds: sinceBegin(),
    resolved,
  })
  // The last failed fixture is the cause of the others.
  const broken = resolved.fixtures.findLast((name) => fixtures.failed.has(name) || fixtures.declined.has(name))
  if (broken !== undefined) return asJudged(ended(withoutFixture(broken, fixtures), { evidence: [] }))
  const watched = guard.forRow(setting.received)
  try {
    const session = { ...setting.session, transport: watched }
    const done = await performRow(resolved, variables, session, () => isOver(resolved, end))
    const own = recordedVariables(done.variables, setting.recorded)
    const milliseconds = sinceBegin()
    const judged = (check?: Evidence): RunRow => {
      const seen = check ? { ...done, evidence: [...done.evidence, check] } : done
      return { ...ended(verdictOf(resolved, seen, setting), seen), milliseconds, variables: own }
    }
    const step = stepWithEffects(resolved, done)
    const late = step !== undefined && { marker: String(done.variables.get('row')), step }
    return { evidence: done.evidence, judged, disruption: watched.disruption, ...(late && { late }) }
  } catch (error) {
    return { ...asJudged(ended(faultyVerdict(error), { evidence: [] })), disruption: watched.disruption }
  }
}

/** Such rows run alone: a target that stops answering here is a failure. */
function hasStoppedTarget({ impact }: ResolvedRow, evidence: readonly Evidence[]): boolean {
  const act = evidence.findIndex(({ role }) => role === 'act')
  if (impact !== 'hazard' || act < 0 || evidence[act]?.problem?.code === 'refused') return false
  return !evidence.slice(0, act).some(isUnavailable) && evidence.slice(act).some(isUnavailable)
}

/** Such a row checks in its last steps that the target still answers. */
const isOver = ({ impact }: ResolvedRow, { decided }: EarlyEnd): boolean =>
  decided !== undefined && !(impact === 'hazard' && decided.cause === 'target-gone')

function withoutFixture(name: string, { failed, declined }: Fixtures): RowVerdict {
  const cause = failed.get(name)
  if (cause) return { verdict: 'blocked', reason: cause, judgements: [] }
  const reason = declined.get(name)
  return { verdict: 'not-applicable', ...(reason && { reason }), judgements: [] }
}

/** A fault of this program must not end the run. */
const faultyVerdict = (error: unknown): RowVerdict => ({
  verdict: 'error',
  reason: { code: 'tool-fault', fault: error instanceof Error ? error.message : String(error) },
  judgements: [],
})

/** Rows of presigned transactions share a marker, so only the reads after the last row show the effects of each. */
function stepWithEffects({ steps }: ResolvedRow, { evidence, cutShort }: PerformedRow): number | undefined {
  if (steps.some(({ presigned }) => presigned)) return undefined
  const index = steps.findIndex(({ expectations }) => expectations.some(({ kind }) => kind === 'effects'))
  return !cutShort && evidence.some(({ step, role }) => role === 'act' && step === index) ? index : undefined
}

function verdictOf(resolved: ResolvedRow, performed: PerformedRow, { end, byText }: RowSetting): ExplainedVerdict {
  if (performed.fault !== undefined) return faultyVerdict(performed.fault)
  if (performed.cutShort)
    return {
      verdict: 'blocked',
      reason: { code: 'run-ended', ...(end.decided && { ended: end.decided }) },
      judgements: [],
    }
  try {
    return judgeWithText(resolved, performed, () => byText(resolved))
  } catch (error) {
    return faultyVerdict(error)
  }
}

export function notRun({ row, isBlocked }: PlannedRow, reason: Reason | undefined): RunRow {
  return {
    type: 'row',
    id: row.id,
    verdict: isBlocked ? 'blocked' : 'not-applicable',
    ...(reason && { reason }),
    judgements: [],
    evidence: [],
    startedAt: new Date().toISOString(),
    milliseconds: 0,
    resolved: row,
  }
}

/** Of several performances of a row, the worst counts. */
export class RepeatedRow {
  #worst: RunRow | undefined
  readonly #counts = new Map<Verdict, number>()

  add(row: RunRow): void {
    this.#counts.set(row.verdict, (this.#counts.get(row.verdict) ?? 0) + 1)
    if (!this.#worst || rankOf(row) < rankOf(this.#worst)) this.#worst = row
  }

  get row(): RunRow | undefined {
    const counts = this.#counts
    const runs = [...counts.values()].reduce((sum, count) => sum + count, 0)
    if (!this.#worst || runs === 1) return this.#worst
    return {
      ...this.#worst,
      repeated: Object.fromEntries(verdicts.flatMap((one) => (counts.has(one) ? [[one, counts.get(one)]] : []))),
    }
  }
}

const rankOf = ({ verdict }: RunRow): number => verdicts.indexOf(verdict)
