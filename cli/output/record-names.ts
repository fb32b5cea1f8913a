import { lstat } from 'node:fs/promises'
import { basename, join } from 'node:path'

export type RecordForm = 'brotli' | 'plain'

const endings: Readonly<Record<RecordForm, string>> = { brotli: '.ndjson.br', plain: '.ndjson' }

/** Also of records up to format 3, which have a message of their own. */
const readEndings = [...Object.values(endings), '.ndjson.gz']

const baseOf = (configuration: number): string => `run${configuration === 1 ? '' : `-${configuration}`}`

/** Configurations count from 1. */
export const recordNameOf = (configuration: number, form: RecordForm = 'brotli'): string =>
  `${baseOf(configuration)}${endings[form]}`

export const formOf = (path: string): RecordForm => (path.endsWith('.br') ? 'brotli' : 'plain')

/** The record of the first configuration. */
export const isFirstRecord = (path: string): boolean =>
  readEndings.some((ending) => basename(path) === `${baseOf(1)}${ending}`)

/** The record of a configuration in the folder of a run, in either form. It may be no regular file. */
export async function recordFileIn(folder: string, configuration = 1): Promise<string | undefined> {
  for (const ending of readEndings) {
    const path = join(folder, `${baseOf(configuration)}${ending}`)
    if (await lstat(path).catch(() => undefined)) return path
  }
  return undefined
}
