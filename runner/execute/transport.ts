/** Sends one request and turns what happened into evidence. Nothing a target does makes it throw. */
import { type Dispatcher, errors, Pool } from 'undici'
import type { Evidence, RecordedBody, RecordedHeaders } from '../../record/record.js'
import type { Redaction } from './redaction.js'

export interface PreparedRequest {
  method: string
  /** Path below the base URL, with a slash in front. */
  path: string
  headers: RecordedHeaders
  body: Buffer | undefined
}

/** What came back, complete; evidence may hold less of it. */
export interface Received {
  status: number
  headers: RecordedHeaders
  body: Buffer
}

export interface Exchange {
  evidence: Evidence
  received: Received | undefined
}

export interface Transport {
  send(request: PreparedRequest, label: Pick<Evidence, 'step' | 'purpose'>): Promise<Exchange>
  close(): Promise<void>
}

/** Bytes of one body that evidence keeps. */
const evidenceLimit = 1024 * 1024

/**
 * A transport to one base URL. `timeLimit` is in milliseconds, for one whole exchange; it must be above the 20 s after which
 * participants of the reference's kind give up themselves.
 */
export function createTransport(
  baseUrl: string,
  timeLimit: number,
  connections: number,
  redaction: Redaction,
): Transport {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const pool = new Pool(base.origin, { connections, headersTimeout: timeLimit, bodyTimeout: timeLimit })
  const send: Transport['send'] = async (request, label) => {
    const startedAt = new Date()
    const begin = performance.now()
    const outcome = await exchange(pool, { ...request, path: prefix + request.path }, timeLimit)
    const evidence: Evidence = {
      ...label,
      request: {
        method: request.method,
        url: redaction.clean(base.origin + prefix + request.path),
        headers: cleanHeaders(request.headers, redaction),
        ...(request.body && { body: recordBody(request.body, redaction) }),
      },
      ...(outcome.received && {
        response: {
          status: outcome.received.status,
          headers: cleanHeaders(outcome.received.headers, redaction),
          body: recordBody(outcome.received.body, redaction),
        },
      }),
      ...(outcome.problem && { problem: outcome.problem }),
      startedAt: startedAt.toISOString(),
      milliseconds: Math.round((performance.now() - begin) * 1000) / 1000,
    }
    return { evidence, received: outcome.received }
  }
  return { send, close: () => pool.close() }
}

interface ExchangeOutcome {
  received: Received | undefined
  problem: Evidence['problem']
}

async function exchange(pool: Pool, request: PreparedRequest, timeLimit: number): Promise<ExchangeOutcome> {
  const signal = AbortSignal.timeout(timeLimit)
  try {
    const response = await pool.request({
      method: request.method as Dispatcher.HttpMethod, // suites may name any method; undici passes it on
      path: request.path,
      headers: request.headers.flat(),
      body: request.body ?? null,
      responseHeaders: 'raw',
      signal,
    })
    const body = Buffer.from(await response.body.arrayBuffer())
    return { received: { status: response.statusCode, headers: pairs(response.headers), body }, problem: undefined }
  } catch (error) {
    return { received: undefined, problem: problemOf(error, signal.aborted, timeLimit) }
  }
}

/** Raw response headers are a flat list of names and values. */
function pairs(headers: unknown): RecordedHeaders {
  const flat = Array.isArray(headers) ? headers.map(String) : []
  const paired: RecordedHeaders = []
  for (let index = 0; index + 1 < flat.length; index += 2) paired.push([flat[index] ?? '', flat[index + 1] ?? ''])
  return paired
}

function problemOf(error: unknown, timedOut: boolean, timeLimit: number): NonNullable<Evidence['problem']> {
  if (timedOut || error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return { code: 'timeout', message: `no complete answer within ${timeLimit / 1000} s` }
  }
  const cause = codeOf(error)
  if (cause === 'ECONNREFUSED' || cause === 'ENOTFOUND' || cause === 'EAI_AGAIN' || cause === 'EHOSTUNREACH') {
    return { code: 'refused', message: `the target cannot be reached (${cause})` }
  }
  if (cause.startsWith('HPE_')) return { code: 'malformed', message: `the answer is no HTTP (${cause})` }
  return { code: 'reset', message: `the connection ended before the answer was complete (${cause})` }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : String(error)

const cleanHeaders = (headers: RecordedHeaders, redaction: Redaction): RecordedHeaders =>
  headers.map(([name, value]) => [name, redaction.clean(value)])

function recordBody(bytes: Buffer, redaction: Redaction): RecordedBody {
  const kept = bytes.subarray(0, evidenceLimit)
  const cut = kept.length < bytes.length && { cut: true as const }
  const text = decodeUtf8(kept)
  if (text === undefined) return { base64: kept.toString('base64'), bytes: bytes.length, ...cut }
  return { text: redaction.clean(text), bytes: bytes.length, ...cut }
}

function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
