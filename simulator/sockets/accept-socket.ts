import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { authorizationOf, type StreamService, StreamSocket, streamProtocol } from './stream-socket.js'

/** Milliseconds before TCP keep-alive. */
const longestSilence = 30_000

export interface Handshake {
  request: IncomingMessage
  connection: Duplex
  /** Bytes after the request. */
  head: Buffer
}

/**
 * Rejects handshakes that violate RFC 6455.
 * @example
 * server.on('upgrade', (request, connection, head) =>
 *   acceptSocket({ request, connection, head }, service, (socket) => open.add(socket)),
 * )
 */
export function acceptSocket(
  { request, connection, head }: Handshake,
  { endpoint, participant, limits }: StreamService,
  opened: (socket: StreamSocket) => void,
): void {
  const settings = {
    noServer: true,
    clientTracking: false,
    maxPayload: participant.bodyLimit,
    // `StreamSocket` limits unread pongs.
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
