/** Sends the rows of a plan, judges each and appends it to the record. */
import { cleanRow } from '../record/clean-record.js'
import { EvidenceBudget } from '../record/evidence-budget.js'
import type { RunRow } from '../record/record.js'
import type { RecordWriter } from '../record/write-record.js'
import { inParallel } from './execute/in-parallel.js'
import type { Plan } from './plan/plan.js'
import type { PlannedRow } from './plan/select.js'
import { notRun, type RowSetting, runRow } from './run-row.js'

export interface PerformedPlan {
  concurrency: number
  /** Id of the run. */
  run: string
  /** A row that may stop a faulty target is about to be sent. */
  hazard: (planned: PlannedRow) => void
  /** Hears of each row once it is in the record. */
  written: (row: RunRow) => void
}

/** Ends when all rows have, or once the run is to end and what was in flight has: rows that were not begun leave nothing. */
export async function performPlan(
  plan: Pick<Plan, 'rows' | 'alone' | 'left'>,
  setting: RowSetting,
  writer: Pick<RecordWriter, 'row'>,
  { concurrency, run, hazard, written }: PerformedPlan,
): Promise<void> {
  const budget = new EvidenceBudget()
  const isOver = (): boolean => setting.end.decided !== undefined
  const record = async (row: RunRow): Promise<void> => {
    // Cut afterwards: half a secret would be found by nobody.
    const clean = budget.fit(cleanRow(row, setting.redaction))
    const { resolved: _, ...line } = clean
    await writer.row(line)
    written(clean)
  }
  for (const planned of plan.left) await record(notRun(planned, planned.reason ?? ''))
  const perform = async (planned: PlannedRow, index: number): Promise<void> => {
    if (planned.row.impact === 'hazard') hazard(planned)
    await record(await runRow(planned, (again) => markerOf(run, index, again), setting))
  }
  await inParallel(plan.rows, concurrency, perform, isOver)
  const alone = (planned: PlannedRow, index: number): Promise<void> => perform(planned, plan.rows.length + index)
  await inParallel(plan.alone, 1, alone, isOver)
}

/** Of fixed width: a marker that begins another one would be found where that one stands. */
const markerOf = (run: string, index: number, again: boolean): string =>
  `${run}-${again ? 'r' : '0'}${String(index).padStart(5, '0')}`
