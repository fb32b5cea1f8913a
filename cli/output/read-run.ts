/** A path is a record, the folder of a run, or a results folder, which means its newest run. */
import { dirname, join } from 'node:path'
import { isFolder, isSameFile } from '../../lib/files/paths.js'
import { type ReadOptions, readRecord } from '../../record/file/read-record.js'
import { combineRecords } from '../../record/merge/combine-records.js'
import type { RunRecord } from '../../record/types/record.js'
import { isFirstRecord, recordFileIn, recordNameOf } from './record-names.js'
import { folderOfRun } from './results-folder.js'

/** Combines all configurations. Rejects with `RecordError` and `ConfigurationsError`. */
export const readRun = async (path: string): Promise<RunRecord> => combineRecords(await readParts(path))

/** One for each configuration. Rejects with `RecordError`. */
export async function readParts(path: string, options: ReadOptions = {}): Promise<RunRecord[]> {
  return (await recordsOf(path, options)).map(({ record }) => record)
}

export interface RecordFile {
  file: string
  record: RunRecord
}

/** Rejects with `RecordError`. */
export async function recordsOf(path: string, options: ReadOptions = {}): Promise<RecordFile[]> {
  const found: RecordFile[] = []
  // One open file at a time: a folder may have more records than a process may open.
  for (const file of await partsOf(path)) found.push({ file, record: await readRecord(file, options) })
  return found
}

/** The record files of a run, one for each configuration. */
export async function partsOf(path: string): Promise<string[]> {
  const first = await recordOf(path)
  const files = [first]
  if (!isFirstRecord(first)) return files
  for (;;) {
    const next = await recordFileIn(dirname(first), files.length + 1)
    if (next === undefined) return files
    files.push(next)
  }
}

/** An output at one of these paths would replace evidence. `runs`: records or folders. */
export async function isRecordOf(path: string, runs: readonly string[]): Promise<boolean> {
  for (const run of runs) for (const file of await partsOf(run)) if (await isSameFile(path, file)) return true
  return false
}

export async function recordOf(path: string): Promise<string> {
  if (!(await isFolder(path))) return path
  const folder = await folderOfRun(path)
  return (await recordFileIn(folder)) ?? join(folder, recordNameOf(1))
}
