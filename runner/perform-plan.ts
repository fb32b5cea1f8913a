/** Sends the rows of a plan, judges each and appends it to the record. */
import { cleanRow } from '../record/clean-record.js'
import type { RunRow } from '../record/record.js'
import type { RecordWriter } from '../record/write-record.js'
import { inParallel } from './execute/in-parallel.js'
import type { Plan } from './plan/plan.js'
import type { PlannedRow } from './plan/select.js'
import { notRun, type RowSetting, runRow } from './run-row.js'

/** `written` hears of each row once it is in the record; `run` is the id of the run. */
export async function performPlan(
  plan: Plan,
  concurrency: number,
  run: string,
  setting: RowSetting,
  writer: Pick<RecordWriter, 'row'>,
  written: (row: RunRow) => void,
): Promise<void> {
  const record = async (row: RunRow): Promise<void> => {
    const clean = cleanRow(row, setting.redaction)
    const { resolved: _, ...line } = clean
    await writer.row(line)
    written(clean)
  }
  for (const planned of plan.left) await record(notRun(planned, planned.reason ?? ''))
  const perform = async (planned: PlannedRow, index: number): Promise<void> =>
    record(await runRow(planned, markerOf(run, index), setting))
  await inParallel(plan.rows, concurrency, perform)
  await inParallel(plan.alone, 1, (planned, index) => perform(planned, plan.rows.length + index))
}

/** Of fixed width: a marker that begins another one would be found where that one stands. */
const markerOf = (run: string, index: number): string => `${run}-${String(index).padStart(6, '0')}`
