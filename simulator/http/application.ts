import type { RequestListener, ServerResponse } from 'node:http'
import express, { type NextFunction, type Request, type Response } from 'express'
import { log } from '../base/log.js'
import type { Participant } from '../participant/participant.js'
import { type Answer, send } from './answer.js'
import { canonical, RequestAborted, readBody, resolved, shownPath, usualBodyLimit } from './call.js'
import { type ArrivedRequest, type Dispatch, direct, dispatcher, type Middleware } from './dispatcher.js'
import type { Endpoint } from './endpoint.js'
import { notServed, remark } from './request-log.js'
import { isStream } from './stream-endpoint.js'

export function createApplication(
  participant: Participant,
  endpoints: readonly Endpoint[],
  middleware: Middleware = direct,
): RequestListener {
  const handle = handler(participant, middleware, dispatcher(participant, endpoints))
  const route = router(endpoints, handle)
  // Canonical paths without parameters skip the router.
  const whole = endpoints.filter(({ path }) => /^[a-z0-9/-]+$/.test(path))
  const known = new Map(
    whole.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, handle(endpoint)]),
  )
  return (request, response) => {
    const { method = '', url: originalUrl = '/' } = request
    const found = known.get(`${method} ${originalUrl}`)
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

const wrongMethod: Refusal = () => ({ status: 405, text: 'Method Not Allowed' })

const unknownPath: Refusal = (request, { behaviour }) => {
  const { originalUrl, headers, method } = request
  remark(request, notServed)
  const path = resolved(originalUrl)
  const uri = path.startsWith('/') ? `http://${headers.host ?? 'participant'}${shownPath(path)}` : path
  const later = behaviour.has('members-since-3.5') && { ledgerApiError: null }
  return { status: 404, json: { errors: [`HttpMethod(${method}), uri: ${uri}`], status: 404, ...later } }
}

function ownFault(error: unknown, response: ServerResponse): void {
  log('internal error', error)
  send(response, { status: 500, text: 'There was an internal server error.' })
}

/** Express answers errors with HTML and a stack. It recognizes error handlers by their four parameters. */
function faultOfExpress(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  ownFault(error, response)
}
