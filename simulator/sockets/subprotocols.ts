/** Browsers can set no other header of a WebSocket. */
import type { IncomingHttpHeaders } from 'node:http'

export const streamProtocol = 'daml.ws.auth'

const tokenPrefix = 'jwt.token.'

export const offeredProtocols = (headers: IncomingHttpHeaders): string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())

/** `Authorization`, otherwise a token among the subprotocols. */
export function authorizationOf(headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization !== undefined) return headers.authorization
  const offered = offeredProtocols(headers).find((name) => name.startsWith(tokenPrefix))
  return offered && `Bearer ${offered.slice(tokenPrefix.length)}`
}
