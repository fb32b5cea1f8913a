import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { type HeadRefusal, longestHead, type RefuseHead, unsupportedMethod, unsupportedVersion } from './head-rules.js'

/** Milliseconds until the head has arrived. */
const longestWait = 10_000
/** Milliseconds, as the reference 3.5.10. */
const longestIdle = 60_000
/** Milliseconds from the last answer to the close. */
const longestFarewell = 1_000

/** Undefined: an answer over HTTP. */
export type Upgrade = (request: IncomingMessage) => ((socket: Duplex, head: Buffer) => void) | undefined

interface HttpSettings {
  /** Milliseconds. */
  receiveLimit: number
  upgrade: Upgrade
  refusalOf: RefuseHead
  /** Accepts spellings that RFC 9112 forbids, as the reference does; `refusalOf` refuses the others. */
  isLenient: boolean
}

/** Answers well-formed HTTP also to malformed and slow requests. */
export function createHttpServer(
  listener: RequestListener,
  { receiveLimit, upgrade, refusalOf, isLenient }: HttpSettings,
): Server {
  const headLimit = Math.min(receiveLimit, longestWait)
  const options = {
    requestTimeout: receiveLimit,
    headersTimeout: headLimit,
    connectionsCheckingInterval: Math.ceil(headLimit / 10),
    keepAliveTimeout: longestIdle,
    maxHeaderSize: longestHead,
    // Node's own answer to a request without Host has no body.
    requireHostHeader: false,
    insecureHTTPParser: isLenient,
    // Called from Node 22.21 and 24.9 on; earlier versions emit 'upgrade' for each offered protocol.
    shouldUpgradeCallback: (request: IncomingMessage): boolean => upgrade(request) !== undefined,
  }
  const latest = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(options, (request, response) => {
    latest.set(request.socket, response)
    listener(request, response)
  })
  server.on('connection', (socket) => {
    // Node calls it after an answer with `Connection: close`.
    socket.destroySoon = () => farewell(socket)
  })
  server.on('clientError', (error: ParseError, socket: Duplex) => {
    const earlier = latest.get(socket)
    // Answers an earlier complete request first; otherwise its client reads this error as the answer.
    const { status, text } = faultOf(error, earlier !== undefined && !earlier.req.complete)
    if (earlier?.req.complete && !earlier.writableFinished) earlier.once('finish', () => answer(socket, status, text))
    else answer(socket, status, text)
  })
  server.on('connect', (request, socket) => {
    const { status, text } = refusalOf(request) ?? { status: 405, text: 'Method Not Allowed' }
    answer(socket, status, text)
  })
  // Without these listeners, Node answers 417, and asks for a body that has arrived.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
    setImmediate(() => {
      if (!request.complete && !response.headersSent) response.writeContinue()
    })
  })
  server.on('upgrade', (request, socket: Duplex, head) => {
    const destroy = (): void => void socket.destroy()
    socket.on('error', destroy)
    const serve = (): void => {
      // Node listens again. A connection may repeat the offer, and each one adds a listener.
      socket.off('error', destroy)
      serveAsAny(server, request, socket, head)
    }
    const refusal = refusalOf(request)
    const take = refusal ? () => answer(socket, refusal.status, refusal.text) : (upgrade(request) ?? serve)
    const earlier = latest.get(socket)
    if (earlier && !earlier.writableFinished) earlier.once('finish', () => take(socket, head))
    else take(socket, head)
  })
  return server
}

/**
 * Node detaches its parser even for another offered protocol (h2c). The server receives the connection again without
 * the offer.
 */
function serveAsAny(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 && name.toLowerCase() !== 'upgrade' ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  )
  const lines = [`${method} ${url} HTTP/${httpVersion}`, ...headers, '', '']
  socket.unshift(Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), head]))
  server.emit('connection', socket)
}

/** From Node's parser. `bytesParsed`: of `rawPacket`, before the fault. */
type ParseError = Error & { code?: string; reason?: string; rawPacket?: Buffer; bytesParsed?: number }

const refusals: Readonly<Record<string, HeadRefusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, text: 'The request did not arrive completely in time.' },
  HPE_HEADER_OVERFLOW: { status: 431, text: 'The head of the request is too long.' },
  HPE_INVALID_CONSTANT: unsupportedVersion,
  HPE_INVALID_VERSION: unsupportedVersion,
}

/** The reference answers them with a server error. */
const chunkFaults = new Set(['HPE_INVALID_CHUNK_SIZE', 'HPE_CHUNK_EXTENSIONS_OVERFLOW', 'HPE_STRICT'])

function faultOf(error: ParseError, inBody: boolean): HeadRefusal {
  const { code = 'not HTTP', reason = code } = error
  if (code === 'HPE_INVALID_METHOD' && !inBody && isMethodShort(error)) return unsupportedMethod
  const status = inBody && chunkFaults.has(code) ? 500 : 400
  return refusals[code] ?? { status, text: `The request is malformed: ${reason}.` }
}

/** The reference reads 16 characters in search of a space. */
const longestMethod = 16

function isMethodShort({ rawPacket = Buffer.alloc(0), bytesParsed = 0 }: ParseError): boolean {
  const begin = rawPacket.lastIndexOf('\n', Math.max(0, bytesParsed - 1)) + 1
  return rawPacket.subarray(begin, begin + longestMethod).includes(' ')
}

/** Closes the connection: its further requests cannot be separated. */
export function answer(socket: Duplex, status: number, text: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: text/plain; charset=UTF-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`)
  farewell(socket)
  socket.resume()
}

/** An immediate close would reset the connection, and a client that still sends would lose the answer. */
function farewell(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), longestFarewell)
  socket.once('end', () => socket.destroy())
  socket.once('close', () => clearTimeout(timer))
  socket.end()
}

/** Waits up to `patience` milliseconds for open requests. Idle connections close at once. */
export function endable(server: Server): (patience: number) => Promise<void> {
  const unanswered = new Set<ServerResponse>()
  let isEnding = false
  const closeIdle = (): void => {
    if (unanswered.size === 0) server.closeAllConnections()
    else server.closeIdleConnections()
  }
  server.on('request', (_, response) => {
    unanswered.add(response)
    response.once('close', () => {
      unanswered.delete(response)
      if (isEnding) closeIdle()
    })
  })
  let ended: Promise<void> | undefined
  const end = (patience: number): Promise<void> =>
    new Promise((resolve, reject) => {
      isEnding = true
      // Otherwise the client reuses a connection that is about to close.
      for (const response of unanswered) response.shouldKeepAlive = false
      const timer = setTimeout(() => server.closeAllConnections(), patience)
      server.close((error) => {
        clearTimeout(timer)
        if (error) reject(error)
        else resolve()
      })
      closeIdle()
    })
  return (patience) => {
    ended ??= end(patience)
    // Also during an earlier end.
    if (patience === 0) server.closeAllConnections()
    return ended
  }
}
