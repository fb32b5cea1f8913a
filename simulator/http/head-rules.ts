/** Heads of requests that the reference participant 3.5.10 rejects before it reads a body, and closes the connection. */
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Behaviour } from '../base/behaviour.js'
import { emptyAnswer, send, textAnswer } from './answer.js'
import { remark } from './request-log.js'

export interface HeadRefusal {
  status: number
  text: string
}

interface HeadRule extends HeadRefusal {
  isBrokenBy(head: Head): boolean
}

/** Collected once for all rules. */
interface Head {
  request: IncomingMessage
  /** In lower case, in order. */
  names: readonly string[]
  values: readonly string[]
}

/** The limits of the reference, in characters and lines. */
const most = { target: 2048, name: 64, value: 8192, lines: 63 } as const

/** Node rejects longer heads. Bytes. */
export const longestHead = (most.lines + 2) * (most.name + most.value + 4)

const knownMethods = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'])
const largestLength = 2n ** 63n - 1n
const versions = new Set(['1.0', '1.1'])

const absoluteForm = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)/i
const pathCharacters = String.raw`(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*`
const pathAndQuery = new RegExp(`^(?:/${pathCharacters})?(?:[?]${pathCharacters.replace(':@/', ':@/?')})?$`)

/** Host and port of an absolute target, without user. */
export const authorityOf = (target: string): string | undefined => absoluteForm.exec(target)?.[1]

/** The asterisk, a path, or an origin with a path. */
const isTarget = (target: string): boolean =>
  target === '*' || (target !== '' && pathAndQuery.test(target.replace(absoluteForm, '')))

const host = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9\-._~!$&'()*+,;=%]*)(?::(\d{0,5}))?$/
const isHost = (text: string): boolean => Number(host.exec(text)?.[1] ?? (host.test(text) ? 0 : Infinity)) < 65_536

/** Other than a tab and DEL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it finds them
const controlCharacter = /[\0-\x08\x0a-\x1f]/

function headOf(request: IncomingMessage): Head {
  const { rawHeaders } = request
  return {
    request,
    names: rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()),
    values: rawHeaders.filter((_, index) => index % 2 === 1),
  }
}

/** All values of a header, in order. */
const valuesOf = ({ names, values }: Head, name: string): string[] => values.filter((_, index) => names[index] === name)

/** Independent of `Transfer-Encoding` and `Content-Length`, Node accepts a body for each method. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export const unsupportedMethod: HeadRefusal = { status: 501, text: 'Unsupported HTTP method' }
export const unsupportedVersion: HeadRefusal = {
  status: 505,
  text: 'The server does not support the HTTP protocol version used in the request.',
}

/** Each request with two Host headers is malformed (RFC 9112, section 3.2). */
const hostRule: HeadRule = {
  status: 400,
  text: 'Request is missing required `Host` header',
  isBrokenBy: (head) => {
    const given = valuesOf(head, 'host')
    return given.length > 1 || (given.length === 0 && head.request.httpVersion === '1.1') || !given.every(isHost)
  },
}

/** In the order of the reference. */
const rules: readonly HeadRule[] = [
  { ...unsupportedMethod, isBrokenBy: ({ request: { method = '' } }) => !knownMethods.has(method) },
  {
    status: 414,
    text: `URI length exceeds the configured limit of ${most.target} characters`,
    isBrokenBy: ({ request: { url = '' } }) => url.length > most.target,
  },
  {
    status: 400,
    text: 'Illegal request-target',
    // A tunnel names host and port.
    isBrokenBy: ({ request: { method, url = '' } }) => !isTarget(method === 'CONNECT' ? `/${url}` : url),
  },
  { ...unsupportedVersion, isBrokenBy: ({ request: { httpVersion } }) => !versions.has(httpVersion) },
  {
    status: 431,
    text: `HTTP header name exceeds the configured limit of ${most.name} characters`,
    isBrokenBy: ({ names }) => names.some(({ length }) => length > most.name),
  },
  {
    status: 431,
    text: `HTTP header value exceeds the configured limit of ${most.value} characters`,
    isBrokenBy: ({ values }) => values.some(({ length }) => length > most.value),
  },
  {
    status: 400,
    text: `HTTP message contains more than the configured limit of ${most.lines + 1} headers`,
    isBrokenBy: ({ names }) => names.length > most.lines,
  },
  hostRule,
  {
    status: 400,
    text: '`Host` header of the request does not match its target',
    isBrokenBy: ({ request: { url = '', headers } }) => {
      const authority = authorityOf(url)
      return authority !== undefined && authority.toLowerCase() !== headers.host?.toLowerCase()
    },
  },
  {
    status: 400,
    text: '`Content-Length` header value must not exceed 63-bit integer range',
    isBrokenBy: ({ request: { headers } }) => BigInt(headers['content-length'] ?? 0) > largestLength,
  },
  // Node's lenient parser accepts the next three.
  {
    status: 400,
    text: "Illegal character ' ' in header name",
    isBrokenBy: ({ names }) => names.some((name) => /\s/.test(name)),
  },
  {
    status: 400,
    text: 'Illegal character in a header value',
    isBrokenBy: ({ values }) => values.some((value) => controlCharacter.test(value)),
  },
  {
    status: 400,
    text: 'Illegal Transfer-Encoding',
    isBrokenBy: (head) => {
      const codings = valuesOf(head, 'transfer-encoding')
      const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked'
      return codings.length > 0 && !(isChunked && valuesOf(head, 'content-length').length === 0)
    },
  },
  {
    status: 400,
    text: 'HTTP message must not contain more than one Content-Type header',
    isBrokenBy: (head) => new Set(valuesOf(head, 'content-type')).size > 1,
  },
  {
    status: 500,
    text: '',
    isBrokenBy: ({ request: { httpVersion, headers } }) =>
      httpVersion === '1.0' && headers['transfer-encoding'] !== undefined,
  },
  {
    status: 422,
    text: 'HEAD, TRACE and CONNECT requests must not have an entity',
    isBrokenBy: ({ request }) => ['HEAD', 'TRACE', 'CONNECT'].includes(request.method ?? '') && hasBody(request),
  },
]

/** Undefined: acceptable. */
export type RefuseHead = (request: IncomingMessage) => HeadRefusal | undefined

/** Without the limits of the reference, only HTTP itself refuses heads. */
export const headRefusal = ({ has }: Behaviour): RefuseHead => {
  const applied = has('http-head-limits') ? rules : [hostRule]
  return (request) => {
    const head = headOf(request)
    return applied.find(({ isBrokenBy }) => isBrokenBy(head))
  }
}

/** Answers requests whose head is refused. */
export const withHeadRules =
  (listener: RequestListener, refusalOf: RefuseHead): RequestListener =>
  (request, response) => {
    const refusal = refusalOf(request)
    if (!refusal) return listener(request, response)
    const { status, text } = refusal
    remark(request, text)
    response.shouldKeepAlive = false
    send(response, text === '' ? emptyAnswer(status) : textAnswer(status, text))
  }
