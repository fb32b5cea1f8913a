/**
 * Files of recorded exchanges: JSON lines, also compressed by gzip. The first line describes the participant; each
 * other line has the exchanges of one row. A row fits if its id exists and each exchange has the role, method and path
 * of its step.
 */
import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { recordedBody } from '../interface/clean-parts.js'
import { InputError } from '../lib/files/file-errors.js'
import { readInput } from '../lib/files/read-input.js'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../lib/json/json.js'
import type { Evidence, RecordedHeaders } from '../record/types/record.js'
import type { ResolvedRow, Role } from '../record/types/resolved-row.js'
import type { ObservedRow, ObservedRun } from './observed-run.js'

/** Bytes of an uncompressed file. */
const longest = 512 * 1024 * 1024

/** Undefined for another kind of file. Rejects with `InputError`. */
export async function readExchanges(path: string): Promise<ObservedRun | undefined> {
  const bytes = await readInput(path, 'a run record')
  const [first = '', ...lines] = (isCompressed(bytes) ? expanded(bytes, path) : bytes).toString('utf8').split('\n')
  const head = objectOf(first)
  if (typeof head?.['target'] !== 'string' || head['type'] !== undefined) return undefined
  const rows = lines.filter((line) => line !== '').map((line, index) => rowOf(line, index + 2, path))
  return {
    version: head['target'],
    protocolVersion: typeof head['protocolVersion'] === 'number' ? head['protocolVersion'] : undefined,
    date: typeof head['date'] === 'string' ? head['date'] : '',
    digest: createHash('sha256').update(bytes).digest('hex'),
    kind: 'exchanges',
    rows,
  }
}

const isCompressed = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

function expanded(bytes: Buffer, path: string): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: longest })
  } catch (error) {
    throw new InputError(path, `cannot be decompressed (${error instanceof Error ? error.message : String(error)})`)
  }
}

function objectOf(line: string): JsonObject | undefined {
  try {
    const value = parseJson(line)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function rowOf(line: string, number: number, path: string): ObservedRow {
  const row = objectOf(line)
  const exchanges = row?.['exchanges']
  if (typeof row?.['row'] !== 'string' || !Array.isArray(exchanges))
    throw new InputError(path, `line ${number} contains no row with exchanges`)
  const evidence = exchanges.flatMap((one) => evidenceOf(one))
  const variables = isJsonObject(row['variables']) ? Object.entries(row['variables']) : []
  return {
    id: row['row'],
    evidence,
    variables: new Map(variables.map(([name, text]): [string, JsonValue] => [name, valueIn(text)])),
    fits: (resolved) => evidence.every((one) => isOfStep(one, resolved)),
  }
}

const valueIn = (text: JsonValue): JsonValue => {
  try {
    return typeof text === 'string' ? parseJson(text) : text
  } catch {
    return text
  }
}

/** Exchanges without an answer show nothing. */
function evidenceOf(value: JsonValue): Evidence[] {
  const { step, role, attempt, request, response } = isJsonObject(value) ? value : {}
  if (typeof step !== 'number' || typeof role !== 'string' || !isJsonObject(request ?? null)) return []
  if (!isJsonObject(response ?? null) || role === 'late-check') return []
  const { method, path, body: sent } = Object(request)
  const { status, headers, body } = Object(response)
  return [
    {
      step,
      role: role as Role, // compared with the step
      ...(typeof attempt === 'number' && { attempt }),
      request: {
        method: String(method),
        url: String(path),
        headers: [],
        ...(typeof sent === 'string' && { body: recordedBody(Buffer.from(sent)) }),
      },
      response: {
        status: Number(status),
        headers: headersOf(headers),
        body: recordedBody(Buffer.from(typeof body === 'string' ? body : '')),
      },
      startedAt: '',
      milliseconds: 0,
    },
  ]
}

const headersOf = (headers: unknown): RecordedHeaders =>
  Array.isArray(headers)
    ? headers.flatMap((one): [string, string][] => (Array.isArray(one) ? [[String(one[0]), String(one[1])]] : []))
    : []

function isOfStep({ step, role, request }: Evidence, { steps }: ResolvedRow): boolean {
  const found = steps[step]
  if (!found || found.role !== role || found.request.method !== request.method) return false
  const path = found.request.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/(?:\\\$)?\{[^}]*\}/g, '[^/?]*')
  return new RegExp(`^${path}(?:\\?|$)`).test(request.url)
}
