import type { IncomingMessage } from 'node:http'
import { browserGuard } from '../http/browser-guard.js'
import { ControlError } from './control-error.js'

/** Refuses what a web page could send, and what does not say whom it is for. Throws `ControlError`. */
export function refuseBrowsers(request: IncomingMessage, host: string): void {
  const named = request.headers.host !== undefined
  const problem = named ? browserGuard(host)(request) : 'the request has no Host header'
  if (problem !== undefined) throw new ControlError('NOT_FROM_HERE', problem)
}
