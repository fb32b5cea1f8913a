/** No behaviour of a target makes `send` throw. */
import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import { recordedBody } from '../../interface/clean-parts.js'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence, RecordedHeaders } from '../../record/types/record.js'
import type { WireForm } from '../../record/types/resolved-row.js'
import { type ConnectionSettings, plainConnection } from '../target/connection/connection-settings.js'
import {
  type Connection,
  countInterimAnswers,
  isCutShort,
  openConnection,
  openSocket,
} from '../target/connection/open-connection.js'
import { isReadOnly } from './availability.js'
import type { BuiltRequest, RequestLine } from './build-request.js'
import type { HttpAnswer } from './http-answer.js'
import { KeptConnections, over } from './kept-connections.js'
import {
  AnswerTooLong,
  ClosedBetween,
  hasTooManyValues,
  limitHeapGrowth,
  longAnswerBytes,
  maxAnswerBytes,
  problemOf,
  TimeLimitReached,
  TooManyValues,
} from './problem.js'
import { wireExchange } from './wire-exchange.js'

/** Read-only requests can be repeated. */
const mayShare = ({ method, path, connection }: BuiltRequest): boolean =>
  connection === undefined && isReadOnly(method, path)

/** Milliseconds that a timer may be late. */
const timerTolerance = 100

/** Adds the time in which this process was halted or busy. Returns the cancelling function. */
function afterOwnTime(milliseconds: number, over: () => void): () => void {
  const due = performance.now() + milliseconds
  let timer = setTimeout(() => {
    const late = performance.now() - due
    if (late < timerTolerance) return over()
    // The process reads pending data before this timer fires.
    timer = setTimeout(over, Math.min(late, milliseconds))
  }, milliseconds)
  return () => clearTimeout(timer)
}

export type ExchangeLabel = Pick<Evidence, 'step' | 'role' | 'attempt'>

/** For a request that was not sent. `request`: absent if nothing built it. */
export const unsentEvidence = (
  label: ExchangeLabel,
  code: 'not-sent' | 'refused',
  message: string,
  request: RequestLine = { method: '', path: '' },
): Evidence => ({
  ...label,
  request: { method: request.method, url: request.path, headers: [] },
  problem: { code, message },
  startedAt: new Date().toISOString(),
  milliseconds: 0,
})

export interface Transport {
  /** Uses a new connection, except for read-only requests and those that name theirs. */
  send(request: BuiltRequest, label: ExchangeLabel): Promise<Evidence>
  /** Set if the row cannot be judged. */
  readonly disruption?: { reason: Reason } | undefined
}

/**
 * Evidence contains secrets until `cleanRow`. `timeLimit`: milliseconds, above the 20 s of the reference participant.
 * `now`: a monotonic clock in milliseconds.
 * @example
 * const { send } = createTransport('http://127.0.0.1:7575', 30_000)
 * const { response } = await send(request, { step: 0, role: 'act' })
 * response?.status // 200, or undefined
 */
export function createTransport(
  baseUrl: string,
  timeLimit: number,
  settings: ConnectionSettings = plainConnection,
  now = () => performance.now(),
): Transport {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const kept = new KeptConnections(now)
  return {
    send: async (request, label) => {
      const startedAt = new Date()
      const begin = performance.now()
      const own = settings.headers.map(([name, value]): [string, string] => [name, value])
      const sent = { ...request, path: prefix + request.path, headers: [...request.headers, ...own] }
      const fresh = (): Connection => openConnection(base, settings)
      const outcome = await (sent.wire
        ? sendByteByByte(base, { ...sent, wire: sent.wire }, settings, timeLimit)
        : mayShare(request)
          ? sendOverKept(kept, fresh, sent, timeLimit)
          : sendOverOwn(fresh, sent, timeLimit))
      const milliseconds = Math.round((performance.now() - begin) * 1000) / 1000
      return {
        ...label,
        request: {
          method: request.method,
          url: base.origin + prefix + request.path,
          headers: [
            ...request.headers,
            // Redaction ignores short values, but these are secrets of any length.
            ...settings.headers.map(([name]): [string, string] => [name, `[redacted: header ${name}]`]),
          ],
          ...(request.body && { body: recordedBody(request.body) }),
        },
        ...('problem' in outcome ? outcome : { response: { ...outcome, body: recordedBody(outcome.body) } }),
        startedAt: startedAt.toISOString(),
        milliseconds,
      }
    },
  }
}

type Outcome = HttpAnswer | { problem: NonNullable<Evidence['problem']> }

/** Not shared, so that one exchange cannot disturb another. */
async function sendOverOwn(fresh: () => Connection, request: BuiltRequest, timeLimit: number): Promise<Outcome> {
  const { connection: use } = request
  const connection = (use?.again ? use.held.take() : undefined) ?? fresh()
  const outcome = await exchange(connection, request, timeLimit)
  await (use ? use.held.keep(connection) : connection.destroy(over))
  return outcome
}

async function sendOverKept(
  kept: KeptConnections,
  fresh: () => Connection,
  request: BuiltRequest,
  timeLimit: number,
): Promise<Outcome> {
  const used = await kept.take()
  const connection = used?.connection ?? fresh()
  const outcome = await exchange(connection, request, timeLimit)
  const isUnanswered = 'problem' in outcome && used?.isSilent() === true
  if (isUnanswered) kept.disable()
  if ('problem' in outcome || !kept.keep(connection)) await connection.destroy(over)
  // HTTP permits a server to close a kept connection at any time, but not to stay silent.
  return isUnanswered && outcome.problem.code === 'reset' ? sendOverOwn(fresh, request, timeLimit) : outcome
}

async function exchange(connection: Connection, request: BuiltRequest, timeLimit: number): Promise<Outcome> {
  // undici ignores an abort signal while it connects.
  const cancel = afterOwnTime(timeLimit, () => void connection.destroy(new TimeLimitReached(timeLimit)))
  try {
    const answer = await receive(connection, request)
    return { ...answer, body: withFewValues(answer.body) }
  } catch (error) {
    return { problem: problemOf(error, connection.isCutShort()) }
  } finally {
    cancel()
  }
}

/** Without `request` of undici, which decodes headers as UTF-8 and reads a body through streams. */
function receive(connection: Connection, request: BuiltRequest): Promise<HttpAnswer> {
  const options: Dispatcher.DispatchOptions = {
    method: request.method as Dispatcher.HttpMethod, // suites may name any method; undici passes it on
    path: connection.prefix + request.path,
    headers: [...connection.headers, ...request.headers].flat(),
    body: request.body ?? null,
  }
  return new Promise((resolve, reject) => {
    const countInterim = countInterimAnswers()
    const chunks: Buffer[] = []
    let length = 0
    let status = 0
    let headers: RecordedHeaders = []
    connection.client.dispatch(options, {
      onConnect: () => undefined,
      onHeaders: (received, lines) => {
        if (received < 200) countInterim()
        status = received
        headers = pairs(lines)
        return true
      },
      onData: (chunk) => {
        length += chunk.length
        if (length > maxAnswerBytes) throw new AnswerTooLong(maxAnswerBytes)
        chunks.push(chunk)
        return true
      },
      onComplete: () => resolve({ status, headers, body: Buffer.concat(chunks) }),
      onError: reject,
    })
  })
}

async function sendByteByByte(
  base: URL,
  request: BuiltRequest & { wire: WireForm },
  settings: ConnectionSettings,
  timeLimit: number,
): Promise<Outcome> {
  const once = (): Promise<Outcome> => sendBytesOnce(base, request, settings, timeLimit)
  return once()
    .catch((error: unknown) => (isUnannounced(error) ? once() : Promise.reject(error)))
    .catch((error: unknown) => ({ problem: problemOf(error) }))
}

const isUnannounced = (error: unknown): boolean => error instanceof ClosedBetween && !error.isAnnounced

async function sendBytesOnce(
  base: URL,
  request: BuiltRequest & { wire: WireForm },
  settings: ConnectionSettings,
  timeLimit: number,
): Promise<Outcome> {
  let socket: Socket | undefined
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(new TimeLimitReached(timeLimit)), timeLimit)
  const late = new Promise<never>((_, reject) =>
    ended.signal.addEventListener('abort', () => reject(ended.signal.reason)),
  )
  try {
    const opening = openSocket(base, settings).then((opened) => {
      socket = opened
      if (ended.signal.aborted) opened.destroy()
      return wireExchange(opened, base.host, request, maxAnswerBytes)
    })
    const answer = await Promise.race([opening, late])
    return { ...answer, body: withFewValues(answer.body) }
  } catch (error) {
    if (isUnannounced(error)) throw error
    // Earlier requests of the connection may be complete.
    const isPartlySent = !request.wire.before && socket !== undefined && isCutShort(socket)
    return { problem: problemOf(error, isPartlySent) }
  } finally {
    clearTimeout(timer)
    socket?.on('error', () => undefined).destroy()
  }
}

/** Bounds the memory of the parsed body. Throws `TooManyValues`. */
function withFewValues(body: Buffer): Buffer {
  if (body.length > longAnswerBytes) limitHeapGrowth()
  if (hasTooManyValues(body)) throw new TooManyValues()
  return body
}

/** A flat list of names and values. Their bytes may be no UTF-8. */
function pairs(lines: readonly Buffer[]): RecordedHeaders {
  const texts = lines.map((bytes) => bytes.toString('latin1'))
  const paired: RecordedHeaders = []
  for (let index = 0; index + 1 < texts.length; index += 2) paired.push([texts[index] ?? '', texts[index + 1] ?? ''])
  return paired
}
