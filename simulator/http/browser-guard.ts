import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'

/**
 * Says what is wrong with a request that a web page could have sent; undefined: none did. A browser on the same machine reaches the
 * loopback address too: with an `Origin` when a page of another site sends the request, and with that site's name as `Host`
 * when the name was rebound to this address. `ownHost`: the name or address on which the simulator listens.
 */
export function browserGuard(ownHost: string): (request: IncomingMessage) => string | undefined {
  // Who asks again asks by the same name.
  let known: string | undefined
  return ({ headers }) => {
    const { host, origin, 'sec-fetch-site': site } = headers
    if (origin !== undefined) return 'a request with an Origin header comes from a web page, which may not do this'
    if (site !== undefined && site !== 'none') {
      return 'a web page caused this request (Sec-Fetch-Site), which it may not'
    }
    if (host === undefined || host === known) return undefined
    if (!isOwn(host, ownHost)) {
      return 'the Host header has to name this machine: localhost, 127.0.0.1, [::1] or what --host says'
    }
    known = host
    return undefined
  }
}

/** Names can be rebound to this machine, addresses cannot; away from the loopback address any of them may be its own. */
function isOwn(host: string, ownHost: string): boolean {
  const name = nameOf(host)
  return isLoopback(name) || name === nameOf(ownHost) || (!isLoopback(nameOf(ownHost)) && isIP(name) !== 0)
}

/** Without port and brackets. */
const nameOf = (host: string): string =>
  isIP(host) === 6
    ? host
    : host
        .replace(/:\d{1,5}$/, '')
        .replace(/^\[(.*)\]$/, '$1')
        .toLowerCase()

/** Whether only this machine can reach what listens there. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
