import type { Redaction } from '../../lib/redaction/redaction.js'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence, RunRow } from '../../record/types/record.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { type Verdict, verdicts } from '../../record/types/verdict.js'
import { changesVetting, hasRestored, type RowChanges } from '../changes/row-changes.js'
import { type PerformedRow, performRow } from '../execute/perform-row.js'
import type { Session } from '../execute/perform-step.js'
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
import type { Fixtures } from '../provision/fixtures.js'
import { recordedVariables, type Variables } from '../template/variables.js'
import { isUnavailable } from '../transport/availability.js'
import type { EarlyEnd } from '../transport/early-end.js'
import type { Disruption, Received, WatchedTransport } from '../transport/outage-guard.js'
import type { ExpectationsBy } from './expectations-by.js'

export interface RowSetting {
  session: Session
  redaction: Redaction
  end: EarlyEnd
  guard: { forRow(received?: Received): WatchedTransport }
  fixtures: Fixtures
  recorded: Variables
  presigned?: PresignedTransactions
  changes: RowChanges
  received?: Received
  byText: ExpectationsBy
}

export interface EndedRow {
  evidence: readonly Evidence[]
  judged(late?: Evidence): RunRow
  late?: { marker: string; step: number }
  disruption?: Disruption | undefined
}

/** Repeats a row once after an outage, unless that could change the result. */
export async function runRow(
  planned: PlannedRow,
  markerOf: (again: boolean) => string,
  setting: RowSetting,
): Promise<EndedRow> {
  const first = await performOnce(planned, markerOf(false), setting)
  if (!first.disruption || hasStoppedTarget(planned.row, first.evidence)) return first
  const isRepeated = first.disruption.repeatable && !setting.end.decided
  const last = isRepeated ? await performOnce(planned, markerOf(true), setting) : first
  if (!last.disruption) return last
  const { known: _, byText: __, verdictByText: ___, ...row } = last.judged()
  return asJudged({ ...row, verdict: 'blocked', reason: last.disruption.reason, judgements: [] })
}

/** From the fixtures to the verdict. */
async function performOnce(planned: PlannedRow, marker: string, setting: RowSetting): Promise<EndedRow> {
  const { row, presigned: needed } = planned
  const { fixtures, presigned, session, changes, guard, end } = setting
  const startedAt = new Date().toISOString()
  const begin = performance.now()

  const next = needed && presigned?.next(needed.fixture)
  if (next && 'code' in next) return asJudged(notRun(planned, next))
  const marked = new Map(fixtures.variables).set('row', marker)
  const variables = next && needed ? withPresigned(next, needed.capture, marked) : marked
  const missing = presigned && findMissingSignature(row, variables, session)
  if (missing) return asJudged(notRun(planned, missing))
  // The last failed fixture is the cause of the others.
  const broken = row.fixtures.findLast((name) => fixtures.failed.has(name) || fixtures.declined.has(name))
  if (broken !== undefined) return asJudged(unsentRow(row, withoutFixture(broken, fixtures)))

  const isJournalled = changesVetting(row)
  const obstacle = isJournalled ? await changes.begin(row.id) : undefined
  if (obstacle) return asJudged(notRun({ row, isBlocked: true }, obstacle))
  const transport = guard.forRow(setting.received)
  const isOver = (): boolean => mustEnd(row, end)
  const done = await performRow(row, variables, { ...session, transport }, isOver).catch(
    (fault: unknown): PerformedRow => ({ evidence: [], variables, fault }),
  )
  const { evidence, stopped } = done
  // Without evidence nothing was sent.
  if (isJournalled) await changes.end(row.id, evidence.length === 0 || hasRestored(row, evidence))
  if (needed && mayBeConsumed(evidence, mayExecuteRejected(row))) presigned?.consume(needed.fixture)

  const milliseconds = Math.round((performance.now() - begin) * 1000) / 1000
  const step = stepWithEffects(row, done)
  return {
    evidence,
    disruption: transport.disruption,
    ...(step !== undefined && { late: { marker: String(done.variables.get('row')), step } }),
    judged: (check) => {
      const seen = check ? { ...done, evidence: [...evidence, check] } : done
      return {
        type: 'row',
        id: row.id,
        ...verdictOf(row, seen, setting),
        evidence: seen.evidence,
        ...(stopped !== undefined && { stopped }),
        startedAt,
        milliseconds,
        resolved: row,
        variables: recordedVariables(done.variables, setting.recorded),
      }
    },
  }
}

const asJudged = (row: RunRow): EndedRow => ({ evidence: row.evidence, judged: () => row })

/** Such rows run alone: a target that stops answering here is a failure. */
function hasStoppedTarget({ impact }: ResolvedRow, evidence: readonly Evidence[]): boolean {
  const act = evidence.findIndex(({ role }) => role === 'act')
  if (impact !== 'hazard' || act < 0 || evidence[act]?.problem?.code === 'refused') return false
  return !evidence.slice(0, act).some(isUnavailable) && evidence.slice(act).some(isUnavailable)
}

/** Such a row checks in its last steps that the target still answers. */
const mustEnd = ({ impact }: ResolvedRow, { decided }: EarlyEnd): boolean =>
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

export const notRun = ({ row, isBlocked }: PlannedRow, reason: Reason | undefined): RunRow =>
  unsentRow(row, { verdict: isBlocked ? 'blocked' : 'not-applicable', ...(reason && { reason }), judgements: [] })

const unsentRow = (row: ResolvedRow, verdict: RowVerdict): RunRow => ({
  type: 'row',
  id: row.id,
  ...verdict,
  evidence: [],
  startedAt: new Date().toISOString(),
  milliseconds: 0,
  resolved: row,
})

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
