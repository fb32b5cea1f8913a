import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readRecord } from '../record/read-record.js'
import type { RunRecord } from '../record/record.js'
import { folderOfRun, recordName } from './results-folder.js'

/** The record of a run, by its path, that of the folder of the run, or that of all results, of which it is the newest. Rejects with RecordError. */
export const readRun = async (path: string): Promise<RunRecord> => readRecord(await recordOf(path))

/** The file of the record. */
export async function recordOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found?.isDirectory() ? join(await folderOfRun(path), recordName) : path
}

/** Whether nothing is missing from the record, and nothing in it contradicts the rest. */
export function isWhole({ footer, defects }: RunRecord): boolean {
  return footer?.complete === true && footer.ended === undefined && defects.length === 0
}
