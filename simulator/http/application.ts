import express, { type Express, type NextFunction, type Request, type Response } from 'express'
import type { Participant } from '../participant.js'
import { send } from './answer.js'
import type { Endpoint } from './endpoint.js'
import { RequestAborted } from './request-body.js'

/** The Express application that serves the endpoints for one participant. */
export function createApplication(participant: Participant, endpoints: readonly Endpoint[]): Express {
  const application = express()
  application.disable('x-powered-by')
  application.disable('etag')
  application.set('case sensitive routing', true)
  application.set('strict routing', true)
  application.use(normalisePath)
  for (const endpoint of endpoints) application[endpoint.method](endpoint.path, handler(endpoint, participant))
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) application.all(path, wrongMethod)
  application.use(unknownPath)
  return application
}

const handler =
  (endpoint: Endpoint, participant: Participant) =>
  async (request: Request, response: Response): Promise<void> => {
    // Express takes HEAD for GET; the reference does not.
    if (request.method === 'HEAD') return wrongMethod(request, response)
    try {
      send(response, await endpoint.answer(request, participant))
    } catch (error) {
      if (!(error instanceof RequestAborted)) throw error
    }
  }

/** A trailing slash, doubled slashes and percent-encoding make no difference (as seen on 3.5.10). */
function normalisePath(request: Request, _response: Response, next: NextFunction): void {
  const [path = '', ...query] = request.url.split('?')
  const plain = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  request.url = [plain.split('/').map(recode).join('/'), ...query].join('?')
  next()
}

/** One canonical spelling of a path segment; what cannot be decoded stands for itself. */
function recode(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return encodeURIComponent(segment)
  }
}

function wrongMethod(_request: Request, response: Response): void {
  send(response, { status: 405, text: 'Method Not Allowed' })
}

function unknownPath(request: Request, response: Response): void {
  const uri = `http://${request.headers.host ?? 'participant'}${request.originalUrl}`
  send(response, {
    status: 404,
    json: { errors: [`HttpMethod(${request.method}), uri: ${uri}`], status: 404, ledgerApiError: null },
  })
}
