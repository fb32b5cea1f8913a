/** What a client offers in the header `Sec-WebSocket-Protocol`: browsers can send no other header with a WebSocket. */
import type { IncomingHttpHeaders } from 'node:http'

/** The subprotocol of every stream. */
export const streamProtocol = 'daml.ws.auth'

const tokenPrefix = 'jwt.token.'

export const offeredProtocols = (headers: IncomingHttpHeaders): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())

/** The header by which the caller is identified: `Authorization`, or a token among the subprotocols. */
export function authorizationOf(headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization !== undefined) return headers.authorization
  const offered = offeredProtocols(headers).find((name) => name.startsWith(tokenPrefix))
  return offered && `Bearer ${offered.slice(tokenPrefix.length)}`
}
