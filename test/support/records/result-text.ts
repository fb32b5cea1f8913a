import { readFile } from 'node:fs/promises'
import { readRecord } from '../../../record/file/read-record.js'

/** The text of a result file; of a record, the JSON text with every shared value in its places. */
export const resultText = async (path: string): Promise<string> =>
  /\brun(?:-\d+)?\.ndjson(?:\.br)?$/.test(path) ? JSON.stringify(await readRecord(path)) : readFile(path, 'utf8')
