import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readRecord } from '../record/read-record.js'
import type { RunRecord } from '../record/record.js'

/** The record of a run, by its path or that of the folder that the run left. Rejects with RecordError. */
export async function readRun(path: string): Promise<RunRecord> {
  const found = await stat(path).catch(() => undefined)
  return readRecord(found?.isDirectory() ? join(path, 'run.ndjson') : path)
}

/** Whether nothing is missing from the record, and nothing in it contradicts the rest. */
export function isWhole({ footer, defects }: RunRecord): boolean {
  return footer?.complete === true && defects.length === 0
}
