import { createHash } from 'node:crypto'
import { InputError } from '../../lib/files/file-errors.js'
import type { RunRecord } from '../types/record.js'
import { parseRecord } from './parse-record.js'
import { type ReadLimits, usualLimits } from './read-limits.js'
import { isFooter, isHeader, isOracles, isPlan, isRow, isShared } from './record-checks.js'
import { RecordError } from './record-error.js'
import { streamLines } from './stream-lines.js'

/** By file name; part of the package. */
export const recordSchemaFiles = ['run-record.schema.json', 'resolved-row.schema.json'].map(
  (name) => [name, new URL(`../../../record/${name}`, import.meta.url)] as const,
)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Rejects with `RecordError`: `unreadable`, `no-header`, `unknown-format`. */
export async function readRecord(
  path: string,
  { keepsTexts = true, limits = usualLimits }: { keepsTexts?: boolean; limits?: ReadLimits } = {},
): Promise<RunRecord> {
  const tools = { isHeader, isShared, isPlan, isRow, isOracles, isFooter, sha256 }
  try {
    return await parseRecord(path, streamLines(path, limits), { ...tools, keepsTexts, limits })
  } catch (cause) {
    if (!(cause instanceof InputError)) throw cause
    const message = `the run record cannot be read (${cause.reason}). Give the .ndjson file of a run.`
    throw new RecordError('unreadable', path, message, { cause })
  }
}
