import { lstat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isFolder } from '../../lib/files/folder.js'
import { readRecord } from '../../record/file/read-record.js'
import { combineRecords } from '../../record/merge/combine-records.js'
import type { RunRecord } from '../../record/types/record.js'
import { folderOfRun, recordName, recordNameOf } from './results-folder.js'

/**
 * The record of a run, by its path, that of the folder of the run, or that of all results, of which it is the newest; one of all
 * configurations that were run. Rejects with RecordError and ConfigurationsError.
 */
export const readRun = async (path: string): Promise<RunRecord> => combineRecords(await readParts(path))

/** The records of the configurations of a run: the one of that path, and those beside it. Rejects with RecordError. */
export async function readParts(path: string): Promise<RunRecord[]> {
  return Promise.all((await partsOf(path)).map(readRecord))
}

/** The same, each with its file. Rejects with RecordError. */
export const recordsOf = async (path: string): Promise<{ file: string; record: RunRecord }[]> =>
  Promise.all((await partsOf(path)).map(async (file) => ({ file, record: await readRecord(file) })))

/** Their files. */
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

/** The file of the record. */
export async function recordOf(path: string): Promise<string> {
  return (await isFolder(path)) ? join(await folderOfRun(path), recordName) : path
}

/** Whether nothing is missing from the record, and nothing in it contradicts the rest. */
export function isWhole({ footer, defects }: RunRecord): boolean {
  return footer?.complete === true && footer.ended === undefined && defects.length === 0
}
