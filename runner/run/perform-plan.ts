import { cleanRow } from '../../record/file/clean-record.js'
import { EvidenceBudget } from '../../record/file/evidence-budget.js'
import { type Waivers, withWaivers } from '../../record/judgements/waivers.js'
import type { RunRow } from '../../record/types/record.js'
import type { SentRow } from '../changes/row-changes.js'
import { AnswerMemory, bytesInMemory, inParallel, type ReleaseSlot } from '../execute/in-parallel.js'
import type { RowLimit } from '../execute/row-limit.js'
import type { LateChecks } from '../oracles/late-checks.js'
import { markerOf } from '../oracles/markers.js'
import type { PlannedRow } from '../plan/select.js'
import type { EarlyEnd } from '../transport/early-end.js'
import { type EndedRow, notRun, RepeatedRow, type RowSetting, runRow } from './run-row.js'

export interface PlanSetting extends RowSetting {
  lateChecks: LateChecks | undefined
}

export interface PerformedPlan {
  limit: RowLimit
  run: string
  seed: string
  waivers: Waivers
  repeat?: number | undefined
  failFast?: number | undefined
  beforeAlone?: ((end: EarlyEnd) => Promise<void>) | undefined
  hazard?: (planned: PlannedRow) => void
  sent?: (row: SentRow) => void
  written: (row: RunRow) => void
}

interface PlanWriter {
  row(row: RunRow): Promise<void>
  flush(): Promise<void>
}

interface RowsOfPlan {
  rows: readonly PlannedRow[]
  alone: readonly PlannedRow[]
  left: readonly PlannedRow[]
}

/** Performs the rows in parallel, then those that run alone. Each row is judged and recorded while others are sent. */
export async function performPlan(
  plan: RowsOfPlan,
  setting: PlanSetting,
  writer: PlanWriter,
  performed: PerformedPlan,
): Promise<void> {
  const { limit, run, seed, repeat = 1, beforeAlone, hazard, sent } = performed
  const { end, session, lateChecks } = setting
  const faults: unknown[] = []
  const failed = (error: unknown): void => void faults.push(error)
  const isOver = (): boolean => end.decided !== undefined || faults.length > 0
  const record = recorderOf(setting, writer, performed)
  await Promise.all(plan.left.map((planned) => record(notRun(planned, planned.reason))))
  const recording: Promise<void>[] = []
  const memory = new AnswerMemory()
  const bounds = { isOver, admit: () => memory.admit() }
  const size = plan.rows.length + plan.alone.length
  const perform = async (planned: PlannedRow, index: number, releaseSlot: ReleaseSlot): Promise<void> => {
    const { row } = planned
    if (row.impact === 'hazard') {
      // The row may stop the target, and this program on the same machine.
      await writer.flush()
      hazard?.(planned)
    }
    const worst = new RepeatedRow()
    const judging: Promise<void>[] = []
    const countAnswer = limit.startRow()
    const times = timesOf(planned, repeat)
    for (let time = 0; time === 0 || (time < times && !isOver()); time += 1) {
      if (time > 0) await memory.admit()
      let answered = 0
      const marker = { run, seed, row: row.id, index: time * size + index }
      const ended = await runRow(planned, (again) => markerOf({ ...marker, again }), {
        ...setting,
        session: { ...session, releaseSlot: (until) => memory.releaseDuring(answered, releaseSlot(until)) },
        received: (evidence, load) => {
          answered += bytesInMemory([evidence])
          // A race sends more requests than the limit has rows.
          if (evidence.attempt === undefined) countAnswer(load)
        },
      }).catch((error: unknown) => {
        memory.finish(0)
        throw error
      })
      sent?.({ id: row.id, resolved: row, evidence: ended.evidence })
      const leave = memory.finish(bytesInMemory(ended.evidence))
      // Other rows run meanwhile.
      judging.push(
        judgeLate(ended, lateChecks)
          .then((one) => worst.add(one))
          .catch(failed)
          .finally(leave),
      )
    }
    recording.push(
      Promise.all(judging)
        .then(() => worst.row && record(worst.row))
        .catch(failed),
    )
  }
  await inParallel(plan.rows, () => limit.rows, perform, bounds)
  if (!isOver()) await beforeAlone?.(end)
  const keepSlot: ReleaseSlot = async (until) => void (await until)
  const performAlone = (planned: PlannedRow, index: number): Promise<void> =>
    perform(planned, plan.rows.length + index, keepSlot)
  await inParallel(plan.alone, () => 1, performAlone, bounds)
  await Promise.all(recording)
  if (faults.length > 0) throw faults[0]
}

const judgeLate = async ({ judged, late }: EndedRow, checks: LateChecks | undefined): Promise<RunRow> =>
  judged(late && (await checks?.check(late.marker, late.step)))

/** Presigned transactions and rows that may stop a target run once. */
const timesOf = ({ presigned, row }: PlannedRow, repeat: number): number =>
  presigned || row.impact === 'hazard' ? 1 : repeat

function recorderOf(
  { redaction, end }: PlanSetting,
  writer: PlanWriter,
  { waivers, failFast = Number.POSITIVE_INFINITY, written }: PerformedPlan,
): (judged: RunRow) => Promise<void> {
  const budget = new EvidenceBudget()
  let failed = 0
  return async (judged) => {
    const row = withWaivers(judged, waivers)
    // Before the write: meanwhile other rows would start.
    if (row.verdict === 'fail' || row.verdict === 'error') failed += 1
    if (failed >= failFast) end.decide({ cause: 'failed-enough', failed })
    // Redaction before cutting: it cannot find half a secret.
    const clean = budget.fit(cleanRow(row, redaction))
    await writer.row(clean)
    written(clean)
  }
}
