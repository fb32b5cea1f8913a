import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { excerpt } from '../../lib/json/json.js'
import { isLoopback } from '../../lib/loopback.js'
import { SettingError } from '../base/errors.js'
import { jsonAnswer, send } from './answer.js'
import { authorityOf } from './head-rules.js'
import { remark } from './request-log.js'

interface WebAccessOptions {
  host: string
  /** Without a port. */
  allowHosts?: readonly string[]
  /** As in the `Origin` header. */
  allowOrigins?: readonly string[]
}

interface AccessRefusal {
  status: 403
  code: 'HOST_NOT_ALLOWED' | 'ORIGIN_NOT_ALLOWED'
  message: string
}

/**
 * A browser on this machine reaches the loopback address, so pages of other sites can send requests. Rejects them by
 * `Origin` or `Sec-Fetch-Site`, and by `Host` if DNS rebinding points a foreign name to this address.
 */
export class WebAccess {
  readonly #ownHost: string
  readonly #hosts: ReadonlySet<string>
  readonly #origins: ReadonlySet<string>
  // Clients repeat the header.
  #lastHost: string | undefined

  /** Throws `SettingError` for malformed names. */
  constructor({ host, allowHosts = [], allowOrigins = [] }: WebAccessOptions) {
    this.#ownHost = nameOf(host)
    this.#hosts = new Set(allowHosts.map(hostNamed))
    this.#origins = new Set(allowOrigins.map(originNamed))
  }

  /** Undefined: permitted. Also for WebSocket handshakes. */
  refusalOf({ headers, url = '' }: IncomingMessage): AccessRefusal | undefined {
    const { origin, 'sec-fetch-site': site } = headers
    const host = authorityOf(url) ?? headers.host
    if (origin === undefined && site !== undefined && site !== 'none') return refusedOrigin(`Sec-Fetch-Site: ${site}`)
    if (origin !== undefined && !this.#origins.has(origin)) return refusedOrigin(`Origin: ${origin}`, origin)
    // Browsers send no empty one.
    if (host === undefined || host === '' || host === this.#lastHost) return undefined
    if (!this.#isAllowedHost(nameOf(host))) return refusedHost(host)
    this.#lastHost = host
    return undefined
  }

  /** Also answers CORS preflights. */
  guard(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (this.#origins.size > 0) response.setHeader('vary', 'Origin')
      const refusal = this.refusalOf(request)
      if (refusal) {
        const { status, code, message } = refusal
        remark(request, message)
        return send(response, jsonAnswer(status, { code, message }))
      }
      const { origin, 'access-control-request-method': preflightMethod } = request.headers
      if (origin !== undefined) allowReading(response, origin)
      if (origin === undefined || preflightMethod === undefined || request.method !== 'OPTIONS')
        return listener(request, response)
      response.writeHead(204, allowedRequests).end()
    }
  }

  /** DNS rebinding needs a name. Beyond loopback, any IP address may be this machine. */
  #isAllowedHost(name: string): boolean {
    if (isLoopback(name) || name === this.#ownHost || this.#hosts.has(name)) return true
    return !isLoopback(this.#ownHost) && isIP(name) !== 0
  }
}

/** Without credentials: the simulator uses no cookies. */
function allowReading(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-expose-headers', '*')
}

/** The asterisk excludes `Authorization`. */
const allowedRequests = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers': '*, Authorization',
}

function refusedHost(host: string): AccessRefusal {
  const advice = hostPattern.test(nameOf(host)) ? `--allow-host ${nameOf(host)}` : '--allow-host NAME'
  const message = `the request names the host ${quoted(host)}, which this simulator does not serve; start it with ${advice} (library: allowHosts)`
  return { status: 403, code: 'HOST_NOT_ALLOWED', message }
}

function refusedOrigin(received: string, origin = ''): AccessRefusal {
  const advice = isOrigin(origin) ? `--allow-origin ${origin}` : '--allow-origin ORIGIN'
  const message = `a web page caused this request (${quoted(received)}), and this simulator does not serve its origin; start it with ${advice} (library: allowOrigins)`
  return { status: 403, code: 'ORIGIN_NOT_ALLOWED', message }
}

/** Characters. */
const longestQuote = 200

const quoted = (text: string): string => excerpt(text, longestQuote)

/** Without port and brackets, in lower case. */
const nameOf = (host: string): string =>
  isIP(host) === 6
    ? host.toLowerCase()
    : host
        .replace(/:\d{0,5}$/, '')
        .replace(/^\[(.*)\]$/, '$1')
        .toLowerCase()

const hostPattern = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?$/

function hostNamed(text: unknown): string {
  const name = typeof text === 'string' ? text.toLowerCase().replace(/^\[(.*)\]$/, '$1') : ''
  if (hostPattern.test(name) || isIP(name) === 6) return name
  throw new SettingError('allowHosts', `expected a host name or address without a port, not ${shown(text)}`)
}

/** Of browser extensions and desktop applications. */
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
