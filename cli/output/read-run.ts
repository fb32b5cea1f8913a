/** Reads the records of a run. A path is a record, the folder of a run, or a results folder, which means its newest run. */
import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isFolder } from '../../lib/files/folder.js'
import { readRecord } from '../../record/file/read-record.js'
import { combineRecords } from '../../record/merge/combine-records.js'
import type { RunRecord } from '../../record/types/record.js'
import { folderOfRun, recordName, recordNameOf } from './results-folder.js'

/** One record for all configurations of the run. Rejects with `RecordError` and `ConfigurationsError`. */
export const readRun = async (path: string): Promise<RunRecord> => combineRecords(await readParts(path))

/** One record for each configuration of the run. Rejects with `RecordError`. */
export async function readParts(path: string): Promise<RunRecord[]> {
  return Promise.all((await partsOf(path)).map(readRecord))
}

/** The same records with their files. Rejects with `RecordError`. */
export const recordsOf = async (path: string): Promise<{ file: string; record: RunRecord }[]> =>
  Promise.all((await partsOf(path)).map(async (file) => ({ file, record: await readRecord(file) })))

/** The record files of the configurations. */
export async function partsOf(path: string): Promise<string[]> {
  const first = await recordOf(path)
  const files = [first]
  if (basename(first) !== recordName) return files
  for (;;) {
    const next = join(dirname(first), recordNameOf(files.length + 1))
    if (!(await isFile(next))) return files
    files.push(next)
  }
}

const isFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** The first record file. */
export async function recordOf(path: string): Promise<string> {
  return (await isFolder(path)) ? join(await folderOfRun(path), recordName) : path
}

/** Whether the run completed, and its record has no defects. */
export function isComplete({ footer, defects }: RunRecord): boolean {
  return footer?.complete === true && footer.ended === undefined && defects.length === 0
}
