import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import { ControlError } from './control-error.js'

/**
 * Refuses what a web page could send. The simulator listens on the loopback address alone, but a browser on the same machine
 * reaches that too: with an `Origin` when a page of another site sends the request, and with that site's name as `Host` when
 * the name was rebound to the loopback address. Throws `ControlError`.
 */
export function refuseBrowsers({ headers }: IncomingMessage): void {
  if (headers.origin !== undefined) {
    throw new ControlError(
      'NOT_FROM_HERE',
      'a request with an Origin header comes from a web page, which may not do this',
    )
  }
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'none') {
    throw new ControlError('NOT_FROM_HERE', 'a web page caused this request (Sec-Fetch-Site), which it may not')
  }
  if (!isLoopback(headers.host ?? '')) {
    throw new ControlError('NOT_FROM_HERE', 'the Host header has to name this machine: localhost, 127.0.0.1 or [::1]')
  }
}

function isLoopback(host: string): boolean {
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase()
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'))
}
