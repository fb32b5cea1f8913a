/** The handshake of a WebSocket. */
import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { type Circumstances, StreamSocket } from './stream-socket.js'
import { authorizationOf, streamProtocol } from './subprotocols.js'

/** Milliseconds without a sign of life after which the system asks whether a client is there. */
const longestSilence = 30_000

export interface Handshake {
  request: IncomingMessage
  connection: Duplex
  /** What has arrived after the request. */
  head: Buffer
}

/** Completes the handshake, or refuses one that is not as RFC 6455 wants it; then nothing is opened. */
export function acceptSocket(
  { request, connection, head }: Handshake,
  { endpoint, participant, limits }: Omit<Circumstances, 'head'>,
  opened: (socket: StreamSocket) => void,
): void {
  const settings = {
    noServer: true,
    clientTracking: false,
    maxPayload: participant.bodyLimit,
    // Pings are answered as far as the client reads the answers.
    autoPong: false,
    closeTimeout: limits.farewell,
    handleProtocols: () => streamProtocol,
  }
  const authorization = authorizationOf(request.headers)
  if (authorization !== undefined) request.headers.authorization = authorization
  const opening = Object.assign(request, { url: request.url ?? '/', params: {} })
  if (connection instanceof Socket) connection.setKeepAlive(true, longestSilence)
  new WebSocketServer(settings).handleUpgrade(request, connection, head, (socket) =>
    opened(new StreamSocket(socket, { endpoint, head: opening, participant, limits })),
  )
}
