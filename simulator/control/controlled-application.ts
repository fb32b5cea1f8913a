import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express'
import { longestState } from '../../lib/files/read-input.js'
import type { JsonObject } from '../../lib/json/json.js'
import { suggestion } from '../../lib/suggest.js'
import { PlainRefusal, StateError } from '../base/errors.js'
import { log } from '../base/log.js'
import { jsonAnswer, send } from '../http/answer.js'
import { createApplication } from '../http/application.js'
import { RequestAborted, readBody } from '../http/call.js'
import type { Endpoint } from '../http/endpoint.js'
import type { Participant } from '../participant/participant.js'
import { restoreState, saveState } from '../participant/state-document.js'
import type { ClosedSocket } from '../sockets/stream-sockets.js'
import type { ControlCall } from './calls/call.js'
import { controlCalls, prefix, shownPath } from './calls/calls.js'
import { type Control, Snapshots } from './state/control.js'
import { ControlError } from './state/control-request.js'
import { Faults, observedAndFaulty } from './state/faults.js'
import { Journal, socketEntry } from './state/journal.js'

/**
 * `closed` adds a WebSocket to the journal.
 * @example
 * const { application, control } = controlledApplication(participant, endpoints)
 * createServer(application).listen(7575)
 * control.reset()
 */
export function controlledApplication(
  participant: Participant,
  endpoints: readonly Endpoint[],
): { application: RequestListener; control: Control; closed: (socket: ClosedSocket) => void } {
  const [faults, journal] = [new Faults(endpoints), new Journal()]
  const beginning = saveState(participant)
  const reset = (): void => {
    restoreState(beginning, participant)
    faults.clear()
    journal.clear()
  }
  const application = createApplication(participant, endpoints, observedAndFaulty(faults, journal))
  const control = { participant, endpoints, faults, journal, snapshots: new Snapshots(), reset }
  const closed = (socket: ClosedSocket): void => journal.add(socket.endpoint, socketEntry(socket))
  return { application: withControlPlane(control, application), control, closed }
}

function withControlPlane(control: Control, participant: RequestListener): RequestListener {
  const plane = createControlPlane(control)
  return (request, response) => {
    const [path = ''] = (request.url ?? '').replace(/^https?:\/\/[^/?]*/i, '').split('?')
    if (path === prefix || path.startsWith(`${prefix}/`)) plane(request, response)
    else participant(request, response)
  }
}

function createControlPlane(control: Control): RequestListener {
  const plane = express()
  plane.disable('x-powered-by')
  plane.disable('etag')
  plane.set('case sensitive routing', true)
  for (const call of controlCalls) plane[call.method](prefix + call.path, handler(call, control))
  for (const path of new Set(controlCalls.map((call) => call.path))) plane.all(prefix + path, wrongMethod(path))
  plane.use(unknownCall)
  plane.use(refusal)
  return plane
}

const handler =
  (call: ControlCall, control: Control): RequestHandler =>
  async (request, response) => {
    const body = await readBody(request, longestState)
    const params = Object.fromEntries(Object.entries(request.params).map(([name, value]) => [name, String(value)]))
    const query = new URL(request.url, 'http://localhost').searchParams
    answer(response, 200, await call.handle(control, { params, query, body }))
  }

function answer(response: Response, status: number, json: JsonObject): void {
  response.setHeader('cache-control', 'no-store')
  send(response, jsonAnswer(status, json))
}

const wrongMethod =
  (path: string): RequestHandler =>
  (request) => {
    const methods = controlCalls.filter((call) => call.path === path).map(({ method }) => method.toUpperCase())
    const problem = `${shownPath(path)} takes ${methods.join(', ')}, not ${request.method}`
    throw new ControlError('METHOD_NOT_ALLOWED', problem)
  }

const unknownCall: RequestHandler = (request: Request) => {
  const hint = suggestion(request.path, new Set(controlCalls.map(({ path }) => shownPath(path))))
  throw new ControlError('UNKNOWN_CALL', `unknown call ${request.path.slice(0, 200)}; ${hint}`)
}

// Express recognizes error handlers by their four parameters.
const refusal: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (error instanceof RequestAborted) return
  const { status, code, message } = explain(error)
  answer(response, status, { code, message })
}

function explain(error: unknown): { status: number; code: string; message: string } {
  if (error instanceof ControlError) return error
  if (error instanceof StateError) return { status: 400, code: error.code, message: error.message }
  if (error instanceof PlainRefusal && error.status === 413)
    return { status: 413, code: 'BODY_TOO_LARGE', message: error.message }
  if (error instanceof URIError) return { status: 400, code: 'INVALID_PATH', message: 'the path cannot be decoded' }
  log('internal error', error)
  return { status: 500, code: 'FAULT', message: 'an internal error of the simulator; see its standard error' }
}
