/** Sends the rows of a plan, judges each and appends it to the record. */
import { cleanRow } from '../record/clean-record.js'
import { EvidenceBudget } from '../record/evidence-budget.js'
import type { RunRow } from '../record/record.js'
import { type Waivers, withWaivers } from '../record/waivers.js'
import type { RecordWriter } from '../record/write-record.js'
import { inParallel, type Rest } from './execute/in-parallel.js'
import type { LateLooks } from './late/late-looks.js'
import type { Plan } from './plan/plan.js'
import type { PlannedRow } from './plan/select.js'
import { type EndedRow, notRun, type RowSetting, runRow } from './run-row.js'

/** What all rows have in common, and who looks at the ledger after each; undefined where nobody can. */
export interface PlanSetting extends RowSetting {
  looks: LateLooks | undefined
}

export interface PerformedPlan {
  concurrency: number
  /** Id of the run. */
  run: string
  /** Failures that are put up with. */
  waivers: Waivers
  /** A row that may stop a faulty target is about to be sent. */
  hazard: (planned: PlannedRow) => void
  /** Hears of each row once it is in the record. */
  written: (row: RunRow) => void
}

/** Ends when all rows have, or once the run is to end and what was in flight has: rows that were not begun leave nothing. */
export async function performPlan(
  plan: Pick<Plan, 'rows' | 'alone' | 'left'>,
  setting: PlanSetting,
  writer: Pick<RecordWriter, 'row'>,
  { concurrency, run, waivers, hazard, written }: PerformedPlan,
): Promise<void> {
  const budget = new EvidenceBudget()
  const faults: unknown[] = []
  const isOver = (): boolean => setting.end.decided !== undefined || faults.length > 0
  const record = async (judged: RunRow): Promise<void> => {
    const row = withWaivers(judged, waivers)
    // Cut afterwards: half a secret would be found by nobody.
    const clean = budget.fit(cleanRow(row, setting.redaction))
    const { resolved: _, ...line } = clean
    await writer.row(line)
    written(clean)
  }
  for (const planned of plan.left) await record(notRun(planned, planned.reason ?? ''))
  const finish = async ({ judged, late }: EndedRow): Promise<void> =>
    record(judged(late && (await setting.looks?.at(late.marker, late.step))))
  const held: Promise<void>[] = []
  const perform = async (planned: PlannedRow, index: number, rest?: Rest): Promise<void> => {
    if (planned.row.impact === 'hazard') hazard(planned)
    const own = rest ? { ...setting, session: { ...setting.session, rest } } : setting
    const ended = await runRow(planned, (again) => markerOf(run, index, again), own)
    // Others are sent meanwhile.
    held.push(finish(ended).catch((error: unknown) => void faults.push(error)))
  }
  await inParallel(plan.rows, concurrency, perform, isOver)
  const alone = (planned: PlannedRow, index: number): Promise<void> => perform(planned, plan.rows.length + index)
  await inParallel(plan.alone, 1, alone, isOver)
  await Promise.all(held)
  if (faults.length > 0) throw faults[0]
}

/** What all markers of a run look like. */
export const markersOf = (run: string): RegExp => new RegExp(`${run}-[0r]\\d{5}`)

/** Of fixed width: a marker that begins another one would be found where that one stands. */
const markerOf = (run: string, index: number, again: boolean): string =>
  `${run}-${again ? 'r' : '0'}${String(index).padStart(5, '0')}`
