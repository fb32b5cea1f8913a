import type { IncomingMessage, RequestListener } from 'node:http'
import { excerpt } from '../../lib/json/json.js'
import { printError } from '../../lib/print.js'
import { Redaction } from '../../lib/redaction/redaction.js'

/** Characters. */
const longestPath = 200

export const logged =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const begin = performance.now()
    // The application changes the URL later.
    const { url = '' } = request
    response.once('close', () => {
      const outcome = response.headersSent ? String(response.statusCode) : 'not answered'
      const why = response.statusCode >= 400 ? remarkOn(request) : undefined
      const milliseconds = Math.round(performance.now() - begin)
      printError(requestLine(request, url, { outcome, milliseconds, why }))
    })
    listener(request, response)
  }

/** The remark on a request whose path has no operation. */
export const notServed = 'the simulator does not serve this path'

/** Bounds the memory. */
const mostHints = 100

/** Prints each path that the simulator does not serve once, with the served operations. */
export function hinted(listener: RequestListener, operations: readonly string[]): RequestListener {
  const printed = new Set<string>()
  return (request, response) => {
    const { method, url = '' } = request
    response.once('close', () => {
      if (remarkOn(request) !== notServed) return
      const path = excerpt(url.split('?')[0] ?? '', longestPath)
      if (printed.has(path) || printed.size === mostHints) return
      printed.add(path)
      printError(`simulator: ${method} ${path}: ${notServed}. Served operations: ${operations.join(', ')}`)
    })
    listener(request, response)
  }
}

interface Outcome {
  outcome: string
  milliseconds: number
  why: string | undefined
}

export function requestLine(request: IncomingMessage, target: string, { outcome, milliseconds, why }: Outcome): string {
  const redaction = redactionFor(request)
  const [path = ''] = target.split('?')
  const shown = excerpt(redaction.clean(path), longestPath).replace(/^"|"$/g, '')
  const line = `simulator: ${request.method} ${shown}: ${outcome}, ${milliseconds} ms`
  return why === undefined ? line : `${line}: ${redaction.clean(why)}`
}

/** Reasons for log and journal; the client often receives less. */
const remarks = new WeakMap<object, string>()

/** May repeat client data, but no secret. */
export function remark(request: object, text: string): void {
  remarks.set(request, text)
}

export const remarkOn = (request: object): string | undefined => remarks.get(request)

const secretHeader = /auth|token|cookie|secret|password|api-?key|sec-websocket-protocol/i

export const isSecretHeader = (name: string): boolean => secretHeader.test(name)

/** Shorter parts are schemes or cookie names. */
const shortestPart = 8

export function redactionFor({ headers }: IncomingMessage): Redaction {
  const redaction = new Redaction()
  for (const [name, value] of Object.entries(headers)) {
    if (!isSecretHeader(name) || value === undefined) continue
    for (const text of [value].flat()) {
      redaction.register(text, name)
      for (const part of text.split(/[\s,;=]+/)) if (part.length >= shortestPart) redaction.register(part, name)
    }
  }
  return redaction
}
