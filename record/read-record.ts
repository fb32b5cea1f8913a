import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Ajv } from 'ajv'
import { type LineCheck, type ParseTools, parseRecord } from './parse-record.js'
import type { RunRecord } from './record.js'
import { RecordError } from './record-error.js'

/** The JSON Schema of the lines of a run record; it goes with the package, and reports hand it on. */
export const recordSchemaFile = new URL('../../record/run-record.schema.json', import.meta.url)

let tools: ParseTools | undefined

function loadTools(): ParseTools {
  const ajv = new Ajv({ strictTuples: false, allowUnionTypes: true })
  ajv.addSchema(JSON.parse(readFileSync(recordSchemaFile, 'utf8')), 'run-record')
  const check = <T>(kind: string): LineCheck<T> => ajv.compile<T>({ $ref: `run-record#/definitions/${kind}` })
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  return { isHeader: check('header'), isRow: check('row'), isFooter: check('footer'), sha256 }
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
