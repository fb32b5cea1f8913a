import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { type LineCheck, type ParseTools, parseRecord } from './parse-record.js'
import type { RunRecord } from './record.js'
import { RecordError } from './record-error.js'
import { streamLines } from './stream-lines.js'

/** The JSON Schemas of the lines of a run record, by file name; they go with the package, and reports hand them on. */
export const recordSchemaFiles = ['run-record.schema.json', 'resolved-row.schema.json'].map(
  (name) => [name, new URL(`../../record/${name}`, import.meta.url)] as const,
)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

let tools: ParseTools | undefined

function loadTools(): ParseTools {
  const ajv = new Ajv({ strictTuples: false, allowUnionTypes: true })
  for (const [, file] of recordSchemaFiles) ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')))
  const check = <T>(kind: string): LineCheck<T> =>
    ajv.compile<T>({ $ref: `run-record.schema.json#/definitions/${kind}` })
  return { isHeader: check('header'), isPlan: check('plan'), isRow: check('row'), isFooter: check('footer'), sha256 }
}

/**
 * Reads the run record in a file, whole or not; `parseRecord` tells what becomes of one that is not.
 * Rejects with RecordError: `unreadable` (no such file), `no-header`, `unknown-format`.
 */
export async function readRecord(path: string): Promise<RunRecord> {
  tools ??= loadTools()
  try {
    await access(path)
    return await parseRecord(path, streamLines(path), tools)
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause
    const message = `the run record cannot be read (${cause.message}). Give the path of the .ndjson file that a run left behind.`
    throw new RecordError('unreadable', path, message, { cause })
  }
}
