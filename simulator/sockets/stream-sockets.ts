import type { IncomingMessage } from 'node:http'
import { printError } from '../../lib/print.js'
import { canonical } from '../http/call.js'
import type { Endpoint } from '../http/endpoint.js'
import { remarkOn, requestLine } from '../http/request-log.js'
import { answer, type Upgrade } from '../http/server.js'
import { isStream, type StreamEndpoint } from '../http/stream.js'
import type { WebAccess } from '../http/web-access.js'
import type { Participant } from '../participant/participant.js'
import type { Handshake } from './accept-socket.js'
import {
  type Outcome,
  offeredProtocols,
  type SocketLimits,
  type StreamSocket,
  streamProtocol,
} from './stream-socket.js'

interface Settings {
  participant: Participant
  endpoints: readonly Endpoint[]
  limits: SocketLimits
  access: WebAccess
  closed: readonly ((socket: ClosedSocket) => void)[]
}

export interface ClosedSocket extends Outcome {
  request: IncomingMessage
  endpoint: StreamEndpoint
  openedAt: Date
  milliseconds: number
}

export class StreamSockets {
  readonly #settings: Settings
  readonly #streams: ReadonlyMap<string, StreamEndpoint>
  readonly #open = new Set<StreamSocket>()
  /** Including handshakes. */
  #count = 0
  #isEnding = false

  constructor(settings: Settings) {
    this.#settings = settings
    this.#streams = new Map(settings.endpoints.filter(isStream).map((endpoint) => [endpoint.path, endpoint]))
  }

  /** Other requests are answered over HTTP. */
  readonly upgrade: Upgrade = (request) => {
    const [path = ''] = canonical(request.url ?? '').split('?')
    const endpoint = this.#streams.get(path)
    if (!endpoint || !asksForWebSocket(request) || this.#settings.access.refusalOf(request)) return undefined
    return (connection, head) => {
      if (!offeredProtocols(request.headers).includes(streamProtocol)) {
        answer(connection, 400, `The WebSocket requires the subprotocol ${streamProtocol}.`)
      } else if (this.#isEnding || this.#count >= this.#settings.limits.open) {
        answer(connection, 503, `No more than ${this.#settings.limits.open} WebSockets can be open at the same time.`)
      } else void this.#serve(endpoint, { request, connection, head })
    }
  }

  close(): void {
    this.#isEnding = true
    for (const socket of this.#open) socket.end('goingAway', 'the simulator stops')
  }

  async #serve(endpoint: StreamEndpoint, handshake: Handshake): Promise<void> {
    const { request, connection } = handshake
    this.#count += 1
    connection.once('close', () => {
      this.#count -= 1
    })
    const { participant, limits, closed } = this.#settings
    const [openedAt, begin] = [new Date(), performance.now()]
    // Lazy, for a faster start.
    const { acceptSocket } = await import('./accept-socket.js')
    acceptSocket(handshake, { endpoint, participant, limits }, (socket) => {
      this.#open.add(socket)
      if (this.#isEnding) socket.end('goingAway', 'the simulator stops')
      void socket.serve().then((outcome) => {
        this.#open.delete(socket)
        const milliseconds = Math.round(performance.now() - begin)
        for (const note of closed) note({ ...outcome, request, endpoint, openedAt, milliseconds })
      })
    })
  }
}

/** A request with a body is answered over HTTP. */
const asksForWebSocket = ({ method, httpVersion, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  httpVersion === '1.1' &&
  headers.upgrade?.toLowerCase() === 'websocket' &&
  (headers['content-length'] ?? headers['transfer-encoding']) === undefined

export function logSocket({ request, sent, code, milliseconds }: ClosedSocket): void {
  const outcome = `WebSocket closed with ${code} after ${sent} messages`
  printError(requestLine(request, request.url ?? '', { outcome, milliseconds, why: remarkOn(request) }))
}
