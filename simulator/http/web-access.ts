/** Which requests the simulator accepts: by the host name they are addressed to, and by the web page that sends them. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import { excerpt } from '../../lib/json/json.js'
import { SettingError } from '../base/setting-error.js'
import { send } from './answer.js'
import { remark } from './remarks.js'

interface WebAccessOptions {
  /** Name or address on which the simulator listens. */
  host: string
  /** Further host names, without a port. */
  allowHosts?: readonly string[]
  /** Origins of web pages, as browsers send them. */
  allowOrigins?: readonly string[]
}

/** Why a request is not served. */
interface AccessRefusal {
  status: 400 | 403
  code: 'HOST_MISSING' | 'HOST_NOT_ALLOWED' | 'ORIGIN_NOT_ALLOWED'
  message: string
}

/**
 * A browser on the same machine reaches the loopback address too. It sends an `Origin` where a page of another site sends the
 * request, and that site's name as `Host` where the name was rebound to this address. Both are refused unless allowed.
 */
export class WebAccess {
  readonly #ownHost: string
  readonly #hosts: ReadonlySet<string>
  readonly #origins: ReadonlySet<string>
  // A client sends the same header again and again.
  #lastHost: string | undefined

  /** Throws `SettingError` for names that no `Host` or `Origin` header can have. */
  constructor({ host, allowHosts = [], allowOrigins = [] }: WebAccessOptions) {
    this.#ownHost = nameOf(host)
    this.#hosts = new Set(allowHosts.map(hostNamed))
    this.#origins = new Set(allowOrigins.map(originNamed))
  }

  /** Refuses a request; undefined where it may pass. For requests to change the protocol, too. */
  refusalOf({ headers, httpVersion, url = '' }: IncomingMessage): AccessRefusal | undefined {
    const { origin, 'sec-fetch-site': site } = headers
    const host = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host
    if (host === undefined && httpVersion === '1.1') {
      return { status: 400, code: 'HOST_MISSING', message: 'the request has no Host header, which HTTP/1.1 requires' }
    }
    if (origin === undefined && site !== undefined && site !== 'none') return refusedOrigin(`Sec-Fetch-Site: ${site}`)
    if (origin !== undefined && !this.#origins.has(origin)) return refusedOrigin(`Origin: ${origin}`, origin)
    if (host === undefined || host === this.#lastHost) return undefined
    if (!this.#isAllowedHost(nameOf(host))) return refusedHost(host)
    this.#lastHost = host
    return undefined
  }

  /** Answers what is refused, and the questions that browsers ask before they send what a page wants to send (CORS). */
  guard(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (this.#origins.size > 0) response.setHeader('vary', 'Origin')
      const refusal = this.refusalOf(request)
      if (refusal) {
        const { status, code, message } = refusal
        remark(request, message)
        return send(response, { status, json: { code, message } })
      }
      const { origin, 'access-control-request-method': asked } = request.headers
      if (origin !== undefined) allowReading(response, origin)
      if (origin === undefined || asked === undefined || request.method !== 'OPTIONS')
        return listener(request, response)
      response.writeHead(204, allowedRequests).end()
    }
  }

  /** Names can be rebound to this machine, addresses cannot; away from the loopback address any of them may be its own. */
  #isAllowedHost(name: string): boolean {
    if (isLoopback(name) || name === this.#ownHost || this.#hosts.has(name)) return true
    return !isLoopback(this.#ownHost) && isIP(name) !== 0
  }
}

/** The page has no cookies here: its tokens are headers that its script sets, so no request needs credentials. */
function allowReading(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', '*')
}

/** The answer to a preflight request: the page may send any method and any header. The asterisk does not stand for `Authorization`. */
const allowedRequests = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': '*, Authorization',
}

function refusedHost(host: string): AccessRefusal {
  const advice = hostPattern.test(nameOf(host)) ? `--allow-host ${nameOf(host)}` : '--allow-host NAME'
  const message = `the request names the host ${quoted(host)}, to which this simulator does not answer; start it with ${advice} (library: allowHosts)`
  return { status: 403, code: 'HOST_NOT_ALLOWED', message }
}

function refusedOrigin(received: string, origin = ''): AccessRefusal {
  const advice = isOrigin(origin) ? `--allow-origin ${origin}` : '--allow-origin ORIGIN'
  const message = `a web page caused this request (${quoted(received)}), and this simulator does not serve its origin; start it with ${advice} (library: allowOrigins)`
  return { status: 403, code: 'ORIGIN_NOT_ALLOWED', message }
}

/** Characters of a header that a message repeats. */
const longestQuote = 200

const quoted = (text: string): string => excerpt(text, longestQuote)

/** Without port and brackets, in lower case. */
const nameOf = (host: string): string =>
  isIP(host) === 6
    ? host.toLowerCase()
    : host
        .replace(/:\d{1,5}$/, '')
        .replace(/^\[(.*)\]$/, '$1')
        .toLowerCase()

const hostPattern = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?$/

function hostNamed(text: unknown): string {
  const name = typeof text === 'string' ? text.toLowerCase().replace(/^\[(.*)\]$/, '$1') : ''
  if (hostPattern.test(name) || isIP(name) === 6) return name
  throw new SettingError('allowHosts', `expected a host name or address without a port, not ${shown(text)}`)
}

/** Those of browser extensions and desktop shells have schemes of their own. */
const otherOrigin = /^(?!https?:|file:)[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d+)?$/

const isOrigin = (text: string): boolean =>
  otherOrigin.test(text) || (/^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text)

function originNamed(text: unknown): string {
  if (typeof text === 'string' && isOrigin(text)) return text
  const meant = typeof text === 'string' && URL.canParse(text) ? new URL(text).origin : 'null'
  const advice = isOrigin(meant) ? `did you mean ${meant}?` : 'for example http://localhost:3000'
  throw new SettingError('allowOrigins', `expected the origin of a web page, not ${shown(text)}; ${advice}`)
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? quoted(value) : `a value of type ${typeof value}`

/** Whether only this machine can reach what listens there. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
