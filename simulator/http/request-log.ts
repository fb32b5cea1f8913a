import type { IncomingMessage, RequestListener } from 'node:http'
import { excerpt } from '../../lib/json/json.js'
import { printError } from '../../lib/print.js'
import { remarkOn } from './remarks.js'
import { redactionFor } from './secrets-of-request.js'

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
