import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { type LineCheck, type ParseTools, parseRecord } from './parse-record.js'
import type { RunRecord } from './record.js'
import { RecordError } from './record-error.js'

/** The JSON Schemas of the lines of a run record, by file name; they go with the package, and reports hand them on. */
export const recordSchemaFiles = ['run-record.schema.json', 'resolved-row.schema.json'].map(
  (name) => [name, new URL(`../../record/${name}`, import.meta.url)] as const,
)

let tools: ParseTools | undefined

function loadTools(): ParseTools {
  const ajv = new Ajv({ strictTuples: false, allowUnionTypes: true })
  for (const [, file] of recordSchemaFiles) ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')))
  const check = <T>(kind: string): LineCheck<T> =>
    ajv.compile<T>({ $ref: `run-record.schema.json#/definitions/${kind}` })
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  return { isHeader: check('header'), isPlan: check('plan'), isRow: check('row'), isFooter: check('footer'), sha256 }
}

/**
 * Reads the run record in a file, whole or not; `parseRecord` tells what becomes of one that is not.
 * Rejects with RecordError: `unreadable` (no such file), `no-header`, `unknown-format`.
 */
export async function readRecord(path: string): Promise<RunRecord> {
  const bytes = await read(path)
  tools ??= loadTools()
  return parseRecord(path, bytes, tools)
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `the run record cannot be read (${why}). Give the path of the .ndjson file that a run left behind.`
    throw new RecordError('unreadable', path, message, { cause })
  }
}
