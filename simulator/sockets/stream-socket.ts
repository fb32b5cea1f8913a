import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { printJson } from '../../lib/json/json.js'
import { rightsNow } from '../auth/caller.js'
import { RedactedError, staleStreamAuthorization } from '../base/errors.js'
import type { RequestHead } from '../http/call.js'
import type { OpenStream, StreamEndpoint } from '../http/stream.js'
import type { Participant } from '../participant/participant.js'

/** Messages between two yields to the event loop. */
const messagesInATurn = 50

export interface StreamService {
  endpoint: StreamEndpoint
  participant: Participant
  limits: SocketLimits
}

interface Circumstances extends StreamService {
  /** Of the handshake. */
  head: RequestHead
}

export interface Outcome {
  /** Absent: no request arrived. */
  body: Buffer | undefined
  sent: number
  /** Of the simulator, otherwise of the client. */
  code: number
}

type Refuse = (error: unknown) => Promise<void>

export class StreamSocket {
  readonly #socket: WebSocket
  readonly #circumstances: Circumstances
  readonly #ended = new AbortController()
  readonly #closed: Promise<number>
  #sent = 0
  #ownCode: number | undefined

  constructor(socket: WebSocket, circumstances: Circumstances) {
    this.#socket = socket
    this.#circumstances = circumstances
    this.#closed = new Promise((resolve) => socket.on('close', resolve))
    // The library already sent a close code.
    socket.on('error', () => this.#ended.abort())
    socket.on('close', () => this.#ended.abort())
    socket.on('ping', (data) => this.#answerPing(data))
  }

  /** Never rejects. */
  async serve(): Promise<Outcome> {
    const body = await this.#receive()
    if (body) await this.#answer(body)
    const code = await this.#closed
    return { body, sent: this.#sent, code: this.#ownCode ?? code }
  }

  end(why: keyof typeof closeCodes, reason = ''): void {
    if (this.#hasEnded) return
    this.#ended.abort()
    this.#ownCode = closeCodes[why]
    this.#socket.close(this.#ownCode, reason)
  }

  get #hasEnded(): boolean {
    return this.#ended.signal.aborted
  }

  /** Undefined: no valid request. */
  #receive(): Promise<Buffer | undefined> {
    const { request: limit } = this.#circumstances.limits
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end('policyViolation', 'the request did not arrive in time'), limit)
      this.#ended.signal.addEventListener('abort', () => {
        clearTimeout(timer)
        resolve(undefined)
      })
      this.#socket.once('message', (data, isBinary) => {
        clearTimeout(timer)
        if (isBinary) this.end('unsupportedData', 'the request must be a text message')
        else resolve(data as Buffer) // always a Buffer without the option binaryType
      })
    })
  }

  async #answer(body: Buffer): Promise<void> {
    const { endpoint, head, participant } = this.#circumstances
    const request = endpoint.receive(head, participant, body)
    const refuse: Refuse = async (error) => {
      await this.#send(request.errorMessage(error))
      this.end('complete')
    }
    try {
      await this.#deliver(await request.open(), refuse)
    } catch (error) {
      await refuse(error)
    }
  }

  async #deliver({ stream, caller, ledger }: OpenStream, refuse: Refuse): Promise<void> {
    const { participant } = this.#circumstances
    const { signal } = this.#ended
    const rights = rightsNow(caller, participant.users)
    if (caller.kind === 'user') void this.#endAt(caller.expiresAt, refuse)
    while (!this.#hasEnded) {
      // Registered first, so no change is missed.
      const change = ledger.changes.next(signal)
      for (const element of stream.next()) {
        await this.#send(printJson(element))
        if (this.#hasEnded) return
      }
      if (!stream.openEnded) return this.end('complete')
      await change
      if (participant.ledger !== ledger) this.end('serviceRestart', 'the state of the participant was replaced')
      else if (rightsNow(caller, participant.users) !== rights) await refuse(staleStreamAuthorization())
    }
  }

  /** `expiresAt`: seconds since 1970. */
  async #endAt(expiresAt: number, refuse: Refuse): Promise<void> {
    await this.#circumstances.participant.clock.base.reach(
      BigInt(Math.ceil(expiresAt)) * 1_000_000n,
      this.#ended.signal,
    )
    await refuse(new RedactedError('PERMISSION_DENIED'))
  }

  /** Waits for a slow client. */
  async #send(text: string): Promise<void> {
    if (this.#hasEnded) return
    const { unsent, stall } = this.#circumstances.limits
    const flushed = new Promise<void>((resolve) => this.#socket.send(text, () => resolve()))
    this.#sent += 1
    if (this.#sent % messagesInATurn === 0) await setImmediate()
    if (this.#socket.bufferedAmount <= unsent) return
    const timer = setTimeout(() => this.end('tryAgainLater', 'the client reads too slowly'), stall)
    await flushed
    clearTimeout(timer)
  }

  /** Unread pongs would fill the memory. */
  #answerPing(data: Buffer): void {
    if (this.#hasEnded) return
    if (this.#socket.bufferedAmount > this.#circumstances.limits.unsent) {
      this.end('policyViolation', 'the client does not read the answers to its pings')
    } else this.#socket.pong(data)
  }
}

/** RFC 6455, section 7.4.1, and the IANA registry. */
const closeCodes = {
  complete: 1000,
  goingAway: 1001,
  unsupportedData: 1003,
  /** No request in time, or unread pongs. */
  policyViolation: 1008,
  serviceRestart: 1012,
  tryAgainLater: 1013,
} as const

// The library adds 1002 (frames), 1007 (UTF-8) and 1009 (body limit).

export interface SocketLimits {
  /** Concurrent WebSockets. */
  open: number
  /** Milliseconds from the handshake to the request. */
  request: number
  /** Bytes before the stream waits for the client. */
  unsent: number
  /** Milliseconds of waiting for the client. */
  stall: number
  /** Milliseconds for the close handshake. */
  farewell: number
}

export const usualLimits = (receiveLimit: number): SocketLimits => ({
  open: 200,
  request: receiveLimit,
  unsent: 1024 * 1024,
  stall: 10_000,
  farewell: 1_000,
})

/** Browsers can set no other header of a WebSocket. */
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
