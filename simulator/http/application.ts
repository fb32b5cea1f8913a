import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import express, { type NextFunction, type Request, type Response } from 'express'
import { log } from '../base/log.js'
import type { InterceptedAnswer, InterceptedRequest, Participant } from '../participant/participant.js'
import { type Answer, bytesOf, jsonAnswer, send, textAnswer } from './answer.js'
import { canonical, RequestAborted, type RequestHead, readBody, resolved, shownPath, usualBodyLimit } from './call.js'
import type { Endpoint } from './endpoint.js'
import { notServed, remark, remarkOn } from './request-log.js'
import { isStream } from './stream.js'

/**
 * Answers each request by its endpoint. `middleware` can delay or replace answers.
 * @example createServer(createApplication(participant, endpoints)).listen(7575, '127.0.0.1')
 */
export function createApplication(
  participant: Participant,
  endpoints: readonly Endpoint[],
  middleware: Middleware = direct,
): RequestListener {
  const handle = handler(participant, middleware, dispatcher(participant, endpoints))
  const route = router(endpoints, handle)
  // Canonical paths without parameters skip the router, with any query.
  const whole = endpoints.filter(({ path }) => /^[a-z0-9/-]+$/.test(path))
  const known = new Map(
    whole.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, handle(endpoint)]),
  )
  return (request, response) => {
    const { method = '', url: originalUrl = '/' } = request
    const [path = ''] = originalUrl.split('?', 1)
    const found = known.get(`${method} ${path}`)
    if (found) found(Object.assign(request, { method, url: originalUrl, originalUrl, params: {} }), response)
    // Express answers an undecodable path with HTML.
    else route(Object.assign(request, { originalUrl, url: canonical(originalUrl) }), response)
  }
}

type Handle = (
  endpoint: Endpoint | undefined,
  refusal?: Refusal,
) => (request: ArrivedRequest, response: ServerResponse) => Promise<void>

function router(endpoints: readonly Endpoint[], handle: Handle): RequestListener {
  const application = express()
  application.disable('x-powered-by')
  application.disable('etag')
  application.set('case sensitive routing', true)
  application.set('strict routing', true)
  for (const endpoint of endpoints) application[endpoint.method](endpoint.path, handle(endpoint))
  // Their GET is the handshake of a WebSocket.
  for (const { path } of endpoints.filter(isStream)) application.get(path, handle(undefined, unknownPath))
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) application.all(path, handle(undefined))
  application.use(handle(undefined, unknownPath))
  application.use(faultOfExpress)
  return application
}

/** Bytes; a process needs an end. */
const largestBody = 256 * 1024 * 1024

const bodyLimitOf = ({ bodyLimit, behaviour }: Participant): number =>
  bodyLimit === usualBodyLimit && behaviour.has('bodies-of-any-size') ? largestBody : bodyLimit

type Refusal = (request: ArrivedRequest, participant: Participant) => Answer

const handler =
  (participant: Participant, middleware: Middleware, through: Dispatch): Handle =>
  (endpoint, refusal = wrongMethod) =>
  async (request, response) => {
    let read: Promise<Buffer> | undefined
    const closing = (): void => {
      response.shouldKeepAlive = false
    }
    const body = (): Promise<Buffer> => {
      read ??= readBody(request, bodyLimitOf(participant), participant.cutsOff && closing)
      return read
    }
    const refuse = (): Answer => {
      // The client still waits to send it.
      if (request.headers.expect !== undefined && !request.complete) closing()
      return refusal(request, participant)
    }
    const exchange = { request, response, endpoint, body, refuse }
    try {
      await middleware(exchange, () => through(exchange))
    } catch (error) {
      if (!(error instanceof RequestAborted)) ownFault(error, response)
    }
  }

const wrongMethod: Refusal = () => textAnswer(405, 'Method Not Allowed')

const unknownPath: Refusal = (request, { behaviour }) => {
  const { originalUrl, headers, method } = request
  remark(request, notServed)
  const path = resolved(originalUrl)
  const uri = path.startsWith('/') ? `http://${headers.host ?? 'participant'}${shownPath(path)}` : path
  const later = behaviour.has('members-since-3.5') && { ledgerApiError: null }
  return jsonAnswer(404, { errors: [`HttpMethod(${method}), uri: ${uri}`], status: 404, ...later })
}

function ownFault(error: unknown, response: ServerResponse): void {
  log('internal error', error)
  send(response, textAnswer(500, 'There was an internal server error.'))
}

/** Express answers errors with HTML and a stack. It recognizes error handlers by their four parameters. */
function faultOfExpress(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  ownFault(error, response)
}

interface ArrivedRequest extends IncomingMessage {
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

const direct: Middleware = async ({ response }, answer) => send(response, await answer())

/** Rejects only with `RequestAborted`. */
type Dispatch = (exchange: Exchange) => Promise<Answer>

/** Interceptors cannot change `exchange`. */
interface Arrived extends InterceptedRequest {
  exchange: Exchange
}

function dispatcher(participant: Participant, endpoints: readonly Endpoint[]): Dispatch {
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
    const { status, text: content, contentType: type, form } = sent
    return answers.get(sent) ?? { status, type, content, ...(form && { form }) }
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
  const { status, type, content } = answer
  const text = typeof content === 'string' ? content : bytesOf(answer).toString('utf8')
  return { status, contentType: type, text }
}
