import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InterceptedAnswer, InterceptedRequest, Participant } from '../participant/participant.js'
import { type Answer, bytesOf, printBody, send } from './answer.js'
import { RequestAborted, type RequestHead } from './call.js'
import type { Endpoint } from './endpoint.js'
import { remark, remarkOn } from './request-log.js'

export interface ArrivedRequest extends IncomingMessage {
  params: RequestHead['params']
  method: string
  /** Canonical. */
  url: string
  /** As received. */
  originalUrl: string
}

interface Exchange {
  request: ArrivedRequest
  response: ServerResponse
  /** Undefined: unknown operation. */
  endpoint: Endpoint | undefined
  /** Reads the body once. Rejects with `PlainRefusal`, `RequestAborted`. */
  body(): Promise<Buffer>
  refuse(): Answer
}

/** `answer` runs the operation and rejects only with `RequestAborted`. */
export type Middleware = (exchange: Exchange, answer: () => Promise<Answer>) => Promise<void>

export const direct: Middleware = async ({ response }, answer) => send(response, await answer())

/** Rejects only with `RequestAborted`. */
export type Dispatch = (exchange: Exchange) => Promise<Answer>

/** Interceptors cannot change `exchange`. */
interface Arrived extends InterceptedRequest {
  exchange: Exchange
}

export function dispatcher(participant: Participant, endpoints: readonly Endpoint[]): Dispatch {
  if (!participant.interceptor) return straight(participant)
  const answers = new WeakMap<InterceptedAnswer, Answer>()
  const later = (milliseconds: number, effect: () => unknown): void => {
    setTimeout(() => void Promise.resolve(effect()).catch(unlessLost), milliseconds).unref()
  }
  const handle = async (intercepted: InterceptedRequest): Promise<InterceptedAnswer> => {
    const answer = await behindInterceptor(intercepted, participant, endpoints)
    const sent = interceptedAnswer(answer)
    answers.set(sent, answer)
    return sent
  }
  const keep = participant.interceptor({ participant, handle, later })
  return async (exchange) => {
    const body = await exchange.body().catch((error: unknown) => {
      if (error instanceof RequestAborted) throw error
      return undefined
    })
    // A body above the limit bypasses the interceptor.
    if (!body) return straight(participant)(exchange)
    const sent = await keep(arrived(exchange, body))
    const { status, text, contentType: type, form } = sent
    return answers.get(sent) ?? { status, text, type, ...(form && { form }) }
  }
}

/** The client may have disconnected. */
function unlessLost(error: unknown): void {
  if (!(error instanceof RequestAborted)) throw error
}

const straight =
  (participant: Participant): Dispatch =>
  async ({ request, endpoint, body, refuse }) =>
    endpoint ? endpoint.answer(request, participant, body) : refuse()

function arrived(exchange: Exchange, body: Buffer): Arrived {
  const { endpoint, request } = exchange
  const { method, url, headers, socket } = request
  const [path = ''] = url.split('?')
  return {
    // Without a name if the path has parameters.
    operation: endpoint?.path === path ? endpoint.name : undefined,
    method,
    path: url,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
    ),
    body,
    connection: socket,
    exchange,
  }
}

/** Routes a changed request again. */
async function behindInterceptor(
  intercepted: InterceptedRequest,
  participant: Participant,
  endpoints: readonly Endpoint[],
): Promise<Answer> {
  const { exchange } = intercepted as Arrived // interceptors change requests and never create them
  const { request } = exchange
  const isMoved = intercepted.path !== request.url || intercepted.method !== request.method
  const [path] = intercepted.path.split('?')
  const endpoint = isMoved
    ? endpoints.find((one) => one.path === path && one.method === intercepted.method.toLowerCase())
    : exchange.endpoint
  const head: RequestHead = {
    headers: intercepted.headers,
    url: intercepted.path,
    params: isMoved ? {} : request.params,
  }
  if (!endpoint) return exchange.refuse()
  const answer = await endpoint.answer(head, participant, async () => intercepted.body)
  const why = remarkOn(head)
  if (why !== undefined) remark(request, why)
  return answer
}

function interceptedAnswer(answer: Answer): InterceptedAnswer {
  const body = printBody(answer)
  const text = body ? (typeof body.content === 'string' ? body.content : bytesOf(body).toString('utf8')) : ''
  return { status: answer.status, contentType: body?.type ?? null, text }
}
