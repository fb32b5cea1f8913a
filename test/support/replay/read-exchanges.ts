/** Recorded answers of whole runs on live participants, as observed runs. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { recordedBody } from '../../../interface/clean-parts.js'
import type { ObservedRow, ObservedRun } from '../../../learn/observed-run.js'
import { parseJson } from '../../../lib/json/json.js'
import type { Evidence, RecordedHeaders } from '../../../record/types/record.js'
import type { ResolvedRow } from '../../../record/types/resolved-row.js'

interface RecordedRow {
  row: string
  /** As JSON. */
  variables?: Record<string, string>
  exchanges: RecordedExchange[]
}

interface RecordedExchange extends Pick<Evidence, 'step' | 'role' | 'attempt'> {
  request: { method: string; path: string; body?: string }
  response?: { status: number; headers: RecordedHeaders; body?: string }
}

/** `keeps`: selects lines of rows. */
export async function readExchanges(line: string, keeps = (_: string): boolean => true): Promise<ObservedRun> {
  const bytes = await readFile(`test/recordings/lines/${line}.ndjson.gz`)
  const [head = '', ...lines] = gunzipSync(bytes).toString('utf8').trim().split('\n')
  const { target, protocolVersion, date } = JSON.parse(head)
  return {
    version: target,
    protocolVersion,
    date,
    digest: createHash('sha256').update(bytes).digest('hex'),
    kind: 'exchanges',
    rows: lines.filter(keeps).map((text) => rowOf(JSON.parse(text))),
  }
}

function rowOf({ row, variables = {}, exchanges }: RecordedRow): ObservedRow {
  const evidence = exchanges.flatMap((one) => evidenceOf(one))
  return {
    id: row,
    evidence,
    variables: new Map(Object.entries(variables).map(([name, text]) => [name, parseJson(text)])),
    fits: (resolved) => evidence.every((one) => isOfStep(one, resolved)),
  }
}

/** Exchanges without an answer show nothing. */
function evidenceOf({ request, response, ...sent }: RecordedExchange): Evidence[] {
  if (!response || sent.role === 'late-check') return []
  const { method, path, body } = request
  return [
    {
      ...sent,
      request: { method, url: path, headers: [], ...(body !== undefined && { body: recordedBody(Buffer.from(body)) }) },
      response: { ...response, body: recordedBody(Buffer.from(response.body ?? '')) },
      startedAt: '',
      milliseconds: 0,
    },
  ]
}

/** Of an older suite, rows may have sent other requests. */
function isOfStep({ step, role, request }: Evidence, { steps }: ResolvedRow): boolean {
  const found = steps[step]
  if (!found || found.role !== role || found.request.method !== request.method) return false
  const path = found.request.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/(?:\\\$)?\{[^}]*\}/g, '[^/?]*')
  return new RegExp(`^${path}(?:\\?|$)`).test(request.url)
}
