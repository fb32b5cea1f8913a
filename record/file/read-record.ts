import { createHash } from 'node:crypto'
import { InputError } from '../../lib/files/input-error.js'
import type { RunRecord } from '../types/record.js'
import { parseRecord } from './parse-record.js'
import { isFooter, isHeader, isPlan, isRow } from './record-checks.js'
import { RecordError } from './record-error.js'
import { streamLines } from './stream-lines.js'

/** The JSON Schemas of the lines of a run record, by file name; they go with the package, and reports hand them on. */
export const recordSchemaFiles = ['run-record.schema.json', 'resolved-row.schema.json'].map(
  (name) => [name, new URL(`../../../record/${name}`, import.meta.url)] as const,
)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Reads the run record in a file, whole or not; `parseRecord` tells what becomes of one that is not.
 * Rejects with RecordError: `unreadable` (no such file, or not a regular one), `no-header`, `unknown-format`.
 */
export async function readRecord(path: string): Promise<RunRecord> {
  try {
    return await parseRecord(path, streamLines(path), { isHeader, isPlan, isRow, isFooter, sha256 })
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause
    const message = `the run record cannot be read (${cause.reason}). Give the path of the .ndjson file that a run left behind.`
    throw new RecordError('unreadable', path, message, { cause })
  }
}
