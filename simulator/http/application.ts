import type { RequestListener, ServerResponse } from 'node:http'
import express, { type NextFunction, type Request, type Response } from 'express'
import { log } from '../base/log.js'
import type { Participant } from '../participant/participant.js'
import { type Answer, send } from './answer.js'
import { canonical } from './canonical.js'
import { type Dispatch, dispatcher } from './dispatcher.js'
import type { Endpoint } from './endpoint.js'
import { type ArrivedRequest, direct, type Middleware } from './middleware.js'
import { RequestAborted, readBody } from './request-body.js'

/** Serves the endpoints for one participant. */
export function createApplication(
  participant: Participant,
  endpoints: readonly Endpoint[],
  middleware: Middleware = direct,
): RequestListener {
  const handle = handler(participant, middleware, dispatcher(participant, endpoints))
  const route = router(endpoints, handle)
  // Where a path has no parts to find, and is spelt as it should be, nothing has to be looked for.
  const whole = endpoints.filter(({ path }) => /^[a-z0-9/-]+$/.test(path))
  const known = new Map(
    whole.map((endpoint) => [`${endpoint.method.toUpperCase()} ${endpoint.path}`, handle(endpoint)]),
  )
  return (request, response) => {
    const { method = '', url: originalUrl = '/' } = request
    const found = known.get(`${method} ${originalUrl}`)
    if (found) found(Object.assign(request, { method, url: originalUrl, originalUrl, params: {} }), response)
    // Before Express sees it, which answers in HTML what it cannot parse.
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
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) application.all(path, handle(undefined))
  application.use(handle(undefined, unknownPath))
  application.use(faultOfExpress)
  return application
}

type Refusal = (request: ArrivedRequest) => Answer

const handler =
  (participant: Participant, middleware: Middleware, through: Dispatch): Handle =>
  (endpoint, refusal = wrongMethod) =>
  async (request, response) => {
    let read: Promise<Buffer> | undefined
    const closing = (): void => {
      response.shouldKeepAlive = false
    }
    const body = (): Promise<Buffer> => {
      read ??= readBody(request, participant.bodyLimit, participant.cutsOff && closing)
      return read
    }
    // Express takes HEAD for GET; the reference does not.
    const called = request.method === 'HEAD' ? undefined : endpoint
    const refuse = (): Answer => refusal(request)
    try {
      await middleware({ request, response, endpoint: called, body }, () =>
        through({ request, endpoint: called, body, refuse }),
      )
    } catch (error) {
      if (!(error instanceof RequestAborted)) ownFault(error, response)
    }
  }

const wrongMethod: Refusal = () => ({ status: 405, text: 'Method Not Allowed' })

const unknownPath: Refusal = ({ originalUrl, headers, method }) => {
  const uri = originalUrl.startsWith('/') ? `http://${headers.host ?? 'participant'}${originalUrl}` : originalUrl
  return { status: 404, json: { errors: [`HttpMethod(${method}), uri: ${uri}`], status: 404, ledgerApiError: null } }
}

function ownFault(error: unknown, response: ServerResponse): void {
  log('a fault of its own', error)
  send(response, { status: 500, text: 'There was an internal server error.' })
}

/** Express would answer with HTML and a stack. It knows a handler of errors by its four parameters. */
function faultOfExpress(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  ownFault(error, response)
}
