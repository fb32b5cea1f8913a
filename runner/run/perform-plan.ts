import { cleanRow } from '../../record/file/clean-record.js'
import { EvidenceBudget } from '../../record/file/evidence-budget.js'
import type { RecordWriter } from '../../record/file/write-record.js'
import { type Waivers, withWaivers } from '../../record/judgements/waivers.js'
import type { Evidence, RunRow } from '../../record/types/record.js'
import type { SentRow } from '../changes/row-changes.js'
import { AnswerMemory, bytesInMemory, inParallel, type ReleaseSlot } from '../execute/in-parallel.js'
import type { LateChecks } from '../oracles/late-checks.js'
import { markerOf } from '../oracles/markers.js'
import type { Plan } from '../plan/plan.js'
import type { PlannedRow } from '../plan/select.js'
import type { EarlyEnd } from '../transport/early-end.js'
import { type EndedRow, notRun, RepeatedRow, type RowSetting, runRow } from './run-row.js'

export interface PlanSetting extends RowSetting {
  lateChecks: LateChecks | undefined
}

export interface PerformedPlan {
  concurrency: number
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

type PlanWriter = Pick<RecordWriter, 'row' | 'flush'>

export async function performPlan(
  plan: Pick<Plan, 'rows' | 'alone' | 'left'>,
  setting: PlanSetting,
  writer: PlanWriter,
  performed: PerformedPlan,
): Promise<void> {
  const { concurrency, run, seed, repeat = 1, beforeAlone, hazard, sent } = performed
  const faults: unknown[] = []
  const { end } = setting
  const isOver = (): boolean => end.decided !== undefined || faults.length > 0
  const record = recorderOf(setting, writer, performed)
  await Promise.all(plan.left.map((planned) => record(notRun(planned, planned.reason))))
  const judgeLate = async ({ judged, late }: EndedRow): Promise<RunRow> =>
    judged(late && (await setting.lateChecks?.check(late.marker, late.step)))
  const held: Promise<void>[] = []
  const memory = new AnswerMemory()
  const bounds = { isOver, admit: () => memory.admit() }
  const size = plan.rows.length + plan.alone.length
  const perform = async (planned: PlannedRow, index: number, releaseSlot?: ReleaseSlot): Promise<void> => {
    if (planned.row.impact === 'hazard') {
      // The row may stop the target, and this program on the same machine.
      await writer.flush()
      hazard?.(planned)
    }
    const worst = new RepeatedRow()
    const judging: Promise<void>[] = []
    const send = async (time: number): Promise<EndedRow> => {
      let answered = 0
      const received = (evidence: Evidence): void => {
        answered += bytesInMemory([evidence])
      }
      const releaseBoth: ReleaseSlot | undefined =
        releaseSlot && ((until) => memory.releaseDuring(answered, releaseSlot(until)))
      const session = releaseBoth ? { ...setting.session, releaseSlot: releaseBoth } : setting.session
      const own = { ...setting, received, session }
      const marked = { run, seed, row: planned.row.id, index: time * size + index }
      const ended = await runRow(planned, (again) => markerOf({ ...marked, again }), own)
      sent?.({ id: planned.row.id, resolved: planned.row, evidence: ended.evidence })
      return ended
    }
    const sendOnce = async (time: number): Promise<void> => {
      const ended = await send(time).catch((error: unknown) => {
        memory.finish(0)
        throw error
      })
      const leave = memory.finish(bytesInMemory(ended.evidence))
      // Other rows run meanwhile.
      const judged = judgeLate(ended).then((row) => worst.add(row))
      judging.push(judged.catch((error: unknown) => void faults.push(error)).finally(leave))
    }
    await sendOnce(0)
    for (let time = 1; time < timesOf(planned, repeat) && !isOver(); time += 1) {
      await memory.admit()
      await sendOnce(time)
    }
    const recorded = Promise.all(judging).then(() => worst.row && record(worst.row))
    held.push(recorded.catch((error: unknown) => void faults.push(error)))
  }
  await inParallel(plan.rows, concurrency, perform, bounds)
  if (!isOver()) await beforeAlone?.(end)
  await inParallel(plan.alone, 1, (planned, index) => perform(planned, plan.rows.length + index), bounds)
  await Promise.all(held)
  if (faults.length > 0) throw faults[0]
}

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
