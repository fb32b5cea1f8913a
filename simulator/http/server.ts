/** The side of the sockets: how long a client may take to send a request, and answers to what is none. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'

/** Milliseconds that the head of a request may take, when the whole may take longer. */
const longestHead = 10_000
/** An idle connection is kept for so many milliseconds: the idle timeout of the reference participant 3.5.10. */
const longestIdle = 60_000
/** Milliseconds that a client may take to close the connection after its answer. */
const longestFarewell = 1_000

/** What takes over the connection of a request that offers another protocol. Undefined: the request is answered as any other. */
export type Upgrade = (request: IncomingMessage) => ((socket: Duplex, head: Buffer) => void) | undefined

/**
 * A server whose every answer is well-formed, also to clients that speak no HTTP or take longer than `receiveLimit`
 * milliseconds to send a request. Requests without a Host header are left to the listener.
 */
export function createHttpServer(listener: RequestListener, receiveLimit: number, upgrade: Upgrade): Server {
  const headLimit = Math.min(receiveLimit, longestHead)
  const options = {
    requestTimeout: receiveLimit,
    headersTimeout: headLimit,
    connectionsCheckingInterval: Math.ceil(headLimit / 10),
    keepAliveTimeout: longestIdle,
    // What Node answers to a request without one has no body.
    requireHostHeader: false,
    // Node 22.21 and 24.9 ask; others hand the connection over.
    shouldUpgradeCallback: (request: IncomingMessage): boolean => upgrade(request) !== undefined,
  }
  const latest = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(options, (request, response) => {
    latest.set(request.socket, response)
    listener(request, response)
  })
  server.on('clientError', (error: Refusal, socket: Duplex) => {
    const earlier = latest.get(socket)
    // A request that did arrive is answered first, or its client would take this answer for its own.
    if (earlier?.req.complete && !earlier.writableFinished) earlier.once('finish', () => refuse(error, socket))
    else refuse(error, socket)
  })
  server.on('connect', (_, socket) => answer(socket, 405, 'Method Not Allowed'))
  server.on('upgrade', (request, socket: Duplex, head) => {
    socket.on('error', () => socket.destroy())
    const take = upgrade(request) ?? ((): void => serveAsAny(server, request, socket, head))
    const earlier = latest.get(socket)
    if (earlier && !earlier.writableFinished) earlier.once('finish', () => take(socket, head))
    else take(socket, head)
  })
  return server
}

/**
 * Node has given up its parser for the connection, even where a client only offers another protocol, as some do with every
 * request (h2c). The server gets the connection anew, and the request without that offer.
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

/** Why Node gave up on a connection; `reason` is its parser's. */
type Refusal = Error & { code?: string; reason?: string }

function refuse({ code, reason }: Refusal, socket: Duplex): void {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') answer(socket, 408, 'The request did not arrive completely in time.')
  else if (code === 'HPE_HEADER_OVERFLOW') answer(socket, 431, 'The head of the request is too long.')
  else if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') answer(socket, 413, 'The chunk extensions are too long.')
  else answer(socket, 400, `The request is not understood: ${reason ?? code ?? 'it is no HTTP'}.`)
}

/** The last words on a connection: what else comes over it could not be told apart. */
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
  // To close while more is arriving would take the answer away from a client that is still sending.
  const timer = setTimeout(() => socket.destroy(), longestFarewell)
  socket.once('end', () => socket.destroy())
  socket.once('close', () => clearTimeout(timer))
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  socket.resume()
}
