/** Sends one request and turns what happened into evidence. Nothing a target does makes it throw. */
import type { Dispatcher } from 'undici'
import { bodyOf } from '../../interface/clean-parts.js'
import type { Evidence, RecordedHeaders } from '../../record/record.js'
import { type ConnectionSettings, plainConnection } from '../target/connection/connection-settings.js'
import { type Connection, openConnection } from '../target/connection/open-connection.js'
import { hasTooManyValues, longestAnswer } from './answer-size.js'
import type { BuiltRequest } from './build-request.js'
import { afterOwnTime } from './own-time.js'
import { AnswerTooLong, AnswerTooRich, problemOf, TimeLimitReached } from './problem.js'

/** Which exchange of a row it is. */
export type ExchangeLabel = Pick<Evidence, 'step' | 'role' | 'attempt'>

export interface Transport {
  send(request: BuiltRequest, label: ExchangeLabel): Promise<Evidence>
  /** Set once something befell an exchange that is not its own doing: nothing that is sent is judged any more. */
  readonly mishap?: { reason: string } | undefined
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
  return {
    send: async (request, label) => {
      const startedAt = new Date()
      const begin = performance.now()
      // A connection of its own: on a shared one, what a target does to one request would befall another.
      const connection = openConnection(base, settings)
      const own = settings.headers.map(([name, value]): [string, string] => [name, value])
      const sent = { ...request, path: prefix + request.path, headers: [...request.headers, ...own] }
      const outcome = await exchange(connection, sent, timeLimit)
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

async function exchange(
  connection: Connection,
  request: BuiltRequest,
  timeLimit: number,
): Promise<Received | { problem: NonNullable<Evidence['problem']> }> {
  // Destroying the connection ends the exchange whatever it waits for; an abort signal is not heard while it connects.
  const forget = afterOwnTime(timeLimit, () => void connection.destroy(new TimeLimitReached(timeLimit)))
  try {
    const response = await connection.client.request({
      method: request.method as Dispatcher.HttpMethod, // suites may name any method; undici passes it on
      path: connection.prefix + request.path,
      headers: [...connection.headers, ...request.headers].flat(),
      body: request.body ?? null,
      responseHeaders: 'raw',
    })
    return { status: response.statusCode, headers: pairs(response.headers), body: await readAll(response.body) }
  } catch (error) {
    return { problem: problemOf(error) }
  } finally {
    forget()
    await connection.destroy(over)
  }
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > longestAnswer) throw new AnswerTooLong(longestAnswer)
    chunks.push(chunk)
  }
  const whole = Buffer.concat(chunks)
  if (hasTooManyValues(whole)) throw new AnswerTooRich()
  return whole
}

/** Raw response headers are a flat list of names and values. */
function pairs(headers: unknown): RecordedHeaders {
  const flat = Array.isArray(headers) ? headers.map(String) : []
  const paired: RecordedHeaders = []
  for (let index = 0; index + 1 < flat.length; index += 2) paired.push([flat[index] ?? '', flat[index + 1] ?? ''])
  return paired
}
