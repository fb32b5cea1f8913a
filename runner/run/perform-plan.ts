/** Sends the rows of a plan, judges each and appends it to the record. */
import { cleanRow } from '../../record/file/clean-record.js'
import { EvidenceBudget } from '../../record/file/evidence-budget.js'
import type { RecordWriter } from '../../record/file/write-record.js'
import { type Waivers, withWaivers } from '../../record/judgements/waivers.js'
import type { Evidence, RunRow } from '../../record/types/record.js'
import { nonConforming } from '../../record/types/verdict.js'
import type { SentRow } from '../changes/seen-changes.js'
import { inParallel, type ReleaseSlot } from '../execute/in-parallel.js'
import type { LateChecks } from '../late-effects/late-checks.js'
import type { Plan } from '../plan/plan.js'
import { usageRank } from '../plan/presigned-order.js'
import type { PlannedRow } from '../plan/select.js'
import { AnswerMemory, bytesInMemory } from '../transport/answer-memory.js'
import type { EarlyEnd } from '../transport/early-end.js'
import { markerOf } from './markers.js'
import { RepeatedRow } from './repeated-row.js'
import { type EndedRow, notRun, type RowSetting, runRow } from './run-row.js'

/** What all rows have in common, and who looks at the ledger after each; undefined where nobody can. */
export interface PlanSetting extends RowSetting {
  looks: LateChecks | undefined
}

export interface PerformedPlan {
  concurrency: number
  /** Id of the run. */
  run: string
  seed: string
  /** Failures that are put up with. */
  waivers: Waivers
  /** How often each row is sent. */
  repeat: number
  /** The run ends once so many rows have failed. */
  failFast: number
  /** Awaited before rows are sent that no other may be beside, also where there is none. */
  beforeAlone: (end: EarlyEnd) => Promise<void>
  /** A row that may stop a faulty target is about to be sent. */
  hazard: (planned: PlannedRow) => void
  /** Hears of each row that was sent, as often as it was. */
  sent: (row: SentRow) => void
  /** Hears of each row once it is in the record. */
  written: (row: RunRow) => void
}

/** Ends when all rows have, or once the run is to end and what was in flight has: rows that were not begun leave nothing. */
export async function performPlan(
  plan: Pick<Plan, 'rows' | 'alone' | 'left'>,
  setting: PlanSetting,
  writer: Pick<RecordWriter, 'row'>,
  performed: PerformedPlan,
): Promise<void> {
  const { concurrency, run, seed, repeat, beforeAlone, hazard, sent } = performed
  const faults: unknown[] = []
  const { end } = setting
  const isOver = (): boolean => end.decided !== undefined || faults.length > 0
  const record = recorderOf(setting, writer, performed)
  await Promise.all(plan.left.map((planned) => record(notRun(planned, planned.reason ?? ''))))
  const looked = async ({ judged, late }: EndedRow): Promise<RunRow> =>
    judged(late && (await setting.looks?.at(late.marker, late.step)))
  const held: Promise<void>[] = []
  const memory = new AnswerMemory()
  const bounds = { isOver, admit: () => memory.admit() }
  const size = plan.rows.length + plan.alone.length
  const perform = async (planned: PlannedRow, index: number, releaseSlot?: ReleaseSlot): Promise<void> => {
    if (planned.row.impact === 'hazard') hazard(planned)
    const worst = new RepeatedRow()
    const looking: Promise<void>[] = []
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
      sent({ id: planned.row.id, resolved: planned.row, evidence: ended.evidence })
      return ended
    }
    const sendOnce = async (time: number): Promise<void> => {
      const ended = await send(time).catch((error: unknown) => {
        memory.finish(0)
        throw error
      })
      const leave = memory.finish(bytesInMemory(ended.evidence))
      // Others are sent meanwhile.
      const told = looked(ended).then((row) => worst.add(row))
      looking.push(told.catch((error: unknown) => void faults.push(error)).finally(leave))
    }
    await sendOnce(0)
    for (let time = 1; time < timesOf(planned, repeat) && !isOver(); time += 1) {
      await memory.admit()
      await sendOnce(time)
    }
    const told = Promise.all(looking).then(() => worst.row && record(worst.row))
    held.push(told.catch((error: unknown) => void faults.push(error)))
  }
  await inParallel(plan.rows, concurrency, perform, bounds)
  if (!isOver()) await beforeAlone(end)
  const alone = async (planned: PlannedRow, index: number): Promise<void> => {
    // Several rows send one presigned transaction until it is executed: by its mark the ledger would show that of them all.
    if (planned.presigned && usageRank(planned) > 1) await Promise.all(held)
    await perform(planned, plan.rows.length + index)
  }
  await inParallel(plan.alone, 1, alone, bounds)
  await Promise.all(held)
  if (faults.length > 0) throw faults[0]
}

/** What was presigned is used up, and what may stop a target has to be sent once to tell. */
const timesOf = ({ presigned, row }: PlannedRow, repeat: number): number =>
  presigned || row.impact === 'hazard' ? 1 : repeat

/** Appends a row to the record, as waivers and the bounds of the record leave it. */
function recorderOf(
  { redaction, end }: PlanSetting,
  writer: Pick<RecordWriter, 'row'>,
  { waivers, failFast, written }: PerformedPlan,
): (judged: RunRow) => Promise<void> {
  const budget = new EvidenceBudget()
  let failed = 0
  return async (judged) => {
    const row = withWaivers(judged, waivers)
    // Cut afterwards: half a secret would be found by nobody.
    const clean = budget.fit(cleanRow(row, redaction))
    const { resolved: _, ...line } = clean
    await writer.row(line)
    written(clean)
    if (nonConforming.includes(row.verdict)) failed += 1
    if (failed >= failFast)
      end.decide({
        cause: 'failed-enough',
        sentence: `${failed === 1 ? 'A row has' : `${failed} rows have`} failed, and the run was to end then (--fail-fast).`,
      })
  }
}
