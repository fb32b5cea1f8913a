import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Duplex } from 'node:stream'

/** Milliseconds. */
const longestHead = 10_000
/** Milliseconds, as the reference 3.5.10. */
const longestIdle = 60_000
/** Milliseconds from the last answer to the close. */
const longestFarewell = 1_000

/** Undefined: an answer over HTTP. */
export type Upgrade = (request: IncomingMessage) => ((socket: Duplex, head: Buffer) => void) | undefined

/** Answers well-formed HTTP also to malformed and slow requests. `receiveLimit`: milliseconds. */
export function createHttpServer(listener: RequestListener, receiveLimit: number, upgrade: Upgrade): Server {
  const headLimit = Math.min(receiveLimit, longestHead)
  const options = {
    requestTimeout: receiveLimit,
    headersTimeout: headLimit,
    connectionsCheckingInterval: Math.ceil(headLimit / 10),
    keepAliveTimeout: longestIdle,
    // Node's own answer to a request without Host has no body.
    requireHostHeader: false,
    // Called from Node 22.21 and 24.9 on; earlier versions emit 'upgrade' for each offered protocol.
    shouldUpgradeCallback: (request: IncomingMessage): boolean => upgrade(request) !== undefined,
  }
  const latest = new WeakMap<Duplex, ServerResponse>()
  const server = createServer(options, (request, response) => {
    latest.set(request.socket, response)
    listener(request, response)
  })
  server.on('clientError', (error: Refusal, socket: Duplex) => {
    const earlier = latest.get(socket)
    // Answers an earlier complete request first; otherwise its client reads this error as the answer.
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

/** `reason`: from Node's parser. */
type Refusal = Error & { code?: string; reason?: string }

function refuse({ code, reason }: Refusal, socket: Duplex): void {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') answer(socket, 408, 'The request did not arrive completely in time.')
  else if (code === 'HPE_HEADER_OVERFLOW') answer(socket, 431, 'The head of the request is too long.')
  else if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') answer(socket, 413, 'The chunk extensions are too long.')
  else answer(socket, 400, `The request is malformed: ${reason ?? code ?? 'not HTTP'}.`)
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
  // An immediate close would discard the answer for a client that still sends.
  const timer = setTimeout(() => socket.destroy(), longestFarewell)
  socket.once('end', () => socket.destroy())
  socket.once('close', () => clearTimeout(timer))
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  socket.resume()
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
