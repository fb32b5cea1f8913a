import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'

export const recordForms = ['gzip', 'plain'] as const
export type RecordForm = (typeof recordForms)[number]

const endings: Readonly<Record<RecordForm, string>> = { gzip: '.ndjson.gz', plain: '.ndjson' }

/** Configurations count from 1. */
export const recordNameOf = (configuration: number, form: RecordForm = 'gzip'): string =>
  `run${configuration === 1 ? '' : `-${configuration}`}${endings[form]}`

export const formOf = (path: string): RecordForm => (path.endsWith('.gz') ? 'gzip' : 'plain')

/** The record of the first configuration. */
export const isFirstRecord = (path: string): boolean =>
  recordForms.some((form) => basename(path) === recordNameOf(1, form))

/** The record of a configuration in the folder of a run, in either form. It may be no regular file. */
export async function recordFileIn(folder: string, configuration = 1): Promise<string | undefined> {
  for (const form of recordForms) {
    const path = join(folder, recordNameOf(configuration, form))
    if (await lstat(path).catch(() => undefined)) return path
  }
  return undefined
}
