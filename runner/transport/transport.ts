/** Sends one request and turns what happened into evidence. Nothing a target does makes it throw. */
import type { Socket } from 'node:net'
import { DecoratorHandler, type Dispatcher } from 'undici'
import { bodyOf } from '../../interface/clean-parts.js'
import type { Evidence, RecordedHeaders } from '../../record/types/record.js'
import type { WireForm } from '../../record/types/resolved-row.js'
import { type ConnectionSettings, plainConnection } from '../target/connection/connection-settings.js'
import { countInterimAnswers } from '../target/connection/interim-answers.js'
import { type Connection, openConnection, openSocket } from '../target/connection/open-connection.js'
import { isCutShort } from '../target/connection/read-before-failing.js'
import { hasTooManyValues, longAnswerBytes, maxAnswerBytes } from './answer-limits.js'
import { isReadOnly } from './availability.js'
import type { BuiltRequest } from './build-request.js'
import type { ConnectionUse } from './held-connection.js'
import { limitHeapGrowth } from './limit-heap-growth.js'
import { AnswerTooLong, problemOf, TimeLimitReached, TooManyValues } from './problem.js'
import { ClosedBetween, wireExchange } from './wire-exchange.js'

// * Connections over which questions go, one after the other. What only looks need not pay for one of its own, as it can be asked again;
// whatever may change something never goes over a connection that another exchange has used.

/** Whether an exchange may go over the connection of another one. */
const mayShare = ({ method, path, wire }: BuiltRequest): boolean => wire === undefined && isReadOnly(method, path)

/** A connection that another exchange has left. */
interface Kept {
  connection: Connection
  /** Whether nothing at all has come over it since, not even a piece of an answer. */
  isSilent(): boolean
}

class KeptConnections {
  readonly #idle: Connection[] = []
  #isRefused = false

  /** One that is still open; undefined where there is none. */
  take(): Kept | undefined {
    for (let connection = this.#idle.pop(); connection; connection = this.#idle.pop()) {
      const socket = connection.socket?.()
      if (!socket || socket.destroyed) continue
      const [kept, before] = [connection, socket.bytesRead]
      return { connection: kept, isSilent: () => kept.socket?.() === socket && socket.bytesRead === before }
    }
    return undefined
  }

  /** Whether it is kept: otherwise it is to be ended. */
  keep(connection: Connection): boolean {
    const isOpen = connection.socket?.()?.destroyed === false
    if (this.#isRefused || !isOpen) return false
    this.#idle.push(connection)
    return true
  }

  /** The target did not answer over a connection that it had left open: from now on each exchange has one of its own. */
  refuse(): void {
    this.#isRefused = true
  }
}

/** Time limits that count against nobody what was this process's own delay: it was halted, or had much to judge. */

/** Milliseconds that a timer may be late without that anything held it up. */
const ordinary = 100

/** Calls back after so many milliseconds; where this process did not run for a part of them, that part is granted once more. Returns a function that forgets it. */
function afterOwnTime(milliseconds: number, over: () => void): () => void {
  const due = performance.now() + milliseconds
  let timer = setTimeout(() => {
    const late = performance.now() - due
    if (late < ordinary) return over()
    // What has come meanwhile is read before this one fires.
    timer = setTimeout(over, Math.min(late, milliseconds))
  }, milliseconds)
  return () => clearTimeout(timer)
}

/** Which exchange of a row it is. */
export type ExchangeLabel = Pick<Evidence, 'step' | 'role' | 'attempt'>

export interface Transport {
  /**
   * Over a connection of its own that ends with it, unless `use` says otherwise. What only looks may go over
   * one that such an exchange has left; where nothing at all comes over that, it is sent once more over one of its own.
   */
  send(request: BuiltRequest, label: ExchangeLabel, use?: ConnectionUse): Promise<Evidence>
  /** Set once something befell an exchange that is not its own doing: nothing that is sent is judged any more. */
  readonly disruption?: { reason: string } | undefined
}

/** With it connections end whose exchange is over. Left to itself undici makes an error each time, and Node writes out its stack. */
const over = new Error('the exchange is over')

/**
 * A transport to one base URL. Its evidence is what was sent and what came, secrets included: `cleanRow` takes them out
 * before anything is kept or shown. `timeLimit` is in milliseconds, for one whole exchange; it must be above the 20 s after which
 * participants of the reference's kind give up themselves.
 */
export function createTransport(
  baseUrl: string,
  timeLimit: number,
  settings: ConnectionSettings = plainConnection,
): Transport {
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')
  const kept = new KeptConnections()
  return {
    send: async (request, label, use) => {
      const startedAt = new Date()
      const begin = performance.now()
      const own = settings.headers.map(([name, value]): [string, string] => [name, value])
      const sent = { ...request, path: prefix + request.path, headers: [...request.headers, ...own] }
      const fresh = (): Connection => openConnection(base, settings)
      const outcome = await (sent.wire
        ? asWritten(base, { ...sent, wire: sent.wire }, settings, timeLimit)
        : !use && mayShare(request)
          ? overKept(kept, fresh, sent, timeLimit)
          : overItsOwn(use, fresh, sent, timeLimit))
      const milliseconds = Math.round((performance.now() - begin) * 1000) / 1000
      return {
        ...label,
        request: {
          method: request.method,
          url: base.origin + prefix + request.path,
          headers: [
            ...request.headers,
            // Short values are no secrets to a redaction, but these are whatever their length.
            ...settings.headers.map(([name]): [string, string] => [name, `[redacted: header ${name}]`]),
          ],
          ...(request.body && { body: bodyOf(request.body) }),
        },
        ...('problem' in outcome
          ? outcome
          : {
              response: {
                status: outcome.status,
                headers: outcome.headers,
                body: bodyOf(outcome.body),
              },
            }),
        startedAt: startedAt.toISOString(),
        milliseconds,
      }
    },
  }
}

interface Received {
  status: number
  headers: RecordedHeaders
  body: Buffer
}

type Outcome = Received | { problem: NonNullable<Evidence['problem']> }

/** On a shared one, what a target does to one request would befall another. */
async function overItsOwn(
  use: ConnectionUse | undefined,
  fresh: () => Connection,
  request: BuiltRequest,
  timeLimit: number,
): Promise<Outcome> {
  const connection = (use?.again ? use.held.take() : undefined) ?? fresh()
  const outcome = await exchange(connection, request, timeLimit)
  await (use ? use.held.keep(connection) : connection.destroy(over))
  return outcome
}

/** For what can have no effect, so that it may be sent again. */
async function overKept(
  kept: KeptConnections,
  fresh: () => Connection,
  request: BuiltRequest,
  timeLimit: number,
): Promise<Outcome> {
  const used = kept.take()
  const connection = used?.connection ?? fresh()
  const outcome = await exchange(connection, request, timeLimit)
  const isUnanswered = 'problem' in outcome && used?.isSilent() === true
  if (isUnanswered) kept.refuse()
  if ('problem' in outcome || !kept.keep(connection)) await connection.destroy(over)
  // By HTTP a server may end a connection that it has kept, at any time; it may not be silent.
  return isUnanswered && outcome.problem.code === 'reset' ? overItsOwn(undefined, fresh, request, timeLimit) : outcome
}

/** Keeps headers in their order, each as often as it was received. The types of undici 6 misspell the name of this option. */
const rawHeaders = { responseHeaders: 'raw' } as const

/** Makes one character of each byte of a header, as HTTP defines it. undici 6 decodes UTF-8, which loses all other bytes. */
const keepHeaderBytes: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const decorated: Dispatcher.DispatchHandlers = new DecoratorHandler(handler)
  decorated.onHeaders = (status, headers, ...others) =>
    handler.onHeaders?.(
      status,
      headers.map((bytes) => Buffer.from(bytes.toString('latin1'))),
      ...others,
    ) ?? true
  return dispatch(options, decorated)
}

async function exchange(connection: Connection, request: BuiltRequest, timeLimit: number): Promise<Outcome> {
  // Destroying the connection ends the exchange whatever it waits for; an abort signal is not heard while it connects.
  const forget = afterOwnTime(timeLimit, () => void connection.destroy(new TimeLimitReached(timeLimit)))
  try {
    const response = await connection.client.compose(keepHeaderBytes).request({
      method: request.method as Dispatcher.HttpMethod, // suites may name any method; undici passes it on
      path: connection.prefix + request.path,
      headers: [...connection.headers, ...request.headers].flat(),
      body: request.body ?? null,
      ...rawHeaders,
      onInfo: countInterimAnswers(),
    })
    return { status: response.statusCode, headers: pairs(response.headers), body: await readAll(response.body) }
  } catch (error) {
    return { problem: problemOf(error, connection.isCutShort()) }
  } finally {
    forget()
  }
}

/** The same, byte by byte as the suite has it; once more on another connection, if the server has ended the first between two answers. */
async function asWritten(
  base: URL,
  request: BuiltRequest & { wire: WireForm },
  settings: ConnectionSettings,
  timeLimit: number,
): Promise<Outcome> {
  const once = (): Promise<Outcome> => writtenOnce(base, request, settings, timeLimit)
  return once()
    .catch((error: unknown) => (error instanceof ClosedBetween ? once() : Promise.reject(error)))
    .catch((error: unknown) => ({ problem: problemOf(error) }))
}

async function writtenOnce(
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
    return await Promise.race([opening, late])
  } catch (error) {
    if (error instanceof ClosedBetween) throw error
    // Requests that came before on the connection may have been received whole.
    const isPartlySent = !request.wire.before && socket !== undefined && isCutShort(socket)
    return { problem: problemOf(error, isPartlySent) }
  } finally {
    clearTimeout(timer)
    socket?.on('error', () => undefined).destroy()
  }
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxAnswerBytes) throw new AnswerTooLong(maxAnswerBytes)
    chunks.push(chunk)
  }
  if (length > longAnswerBytes) limitHeapGrowth()
  const whole = Buffer.concat(chunks)
  if (hasTooManyValues(whole)) throw new TooManyValues()
  return whole
}

/** Raw response headers are a flat list of names and values. */
function pairs(headers: unknown): RecordedHeaders {
  const flat = Array.isArray(headers) ? headers.map(String) : []
  const paired: RecordedHeaders = []
  for (let index = 0; index + 1 < flat.length; index += 2) paired.push([flat[index] ?? '', flat[index + 1] ?? ''])
  return paired
}
