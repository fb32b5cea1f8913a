import { printError } from '../../lib/print.js'
import { remarkOn } from '../http/remarks.js'
import { requestLine } from '../http/request-log.js'
import type { ClosedSocket } from './stream-sockets.js'

export function logSocket({ request, sent, code, milliseconds }: ClosedSocket): void {
  const outcome = `WebSocket closed with ${code} after ${sent} messages`
  printError(requestLine(request, request.url ?? '', { outcome, milliseconds, why: remarkOn(request) }))
}
