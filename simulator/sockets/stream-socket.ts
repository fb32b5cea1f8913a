/** One WebSocket: a request in one message, then the messages of its stream. */
import { setImmediate } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { type JsonValue, printJson } from '../../lib/json/json.js'
import { rightsNow } from '../auth/caller.js'
import { RedactedError, staleStreamAuthorization } from '../base/errors.js'
import type { RequestHead } from '../http/call.js'
import type { OpenStream, StreamEndpoint } from '../http/stream-endpoint.js'
import type { Participant } from '../participant/participant.js'
import type { SocketLimits } from './limits.js'

/** Messages after which other work of the process has its turn. */
const messagesInATurn = 50

export interface Circumstances {
  endpoint: StreamEndpoint
  /** What the WebSocket was opened with. */
  head: RequestHead
  participant: Participant
  limits: SocketLimits
}

/** What became of a WebSocket. */
export interface Outcome {
  /** The request; absent where none arrived. */
  body: Buffer | undefined
  /** Messages that were sent. */
  sent: number
  /** The code that the simulator closed it with, else that of the client. */
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
    // The library has answered what breaks the protocol with a close code.
    socket.on('error', () => this.#ended.abort())
    socket.on('close', () => this.#ended.abort())
    socket.on('ping', (data) => this.#answerPing(data))
  }

  /** Serves the client until the WebSocket is closed. Never rejects. */
  async serve(): Promise<Outcome> {
    const body = await this.#receive()
    if (body) await this.#answer(body)
    const code = await this.#closed
    return { body, sent: this.#sent, code: this.#ownCode ?? code }
  }

  /** Sends nothing more, and closes the WebSocket. */
  end(why: keyof typeof closeCodes, reason = ''): void {
    if (this.#hasEnded) return
    this.#ended.abort()
    this.#ownCode = closeCodes[why]
    this.#socket.close(this.#ownCode, reason)
  }

  get #hasEnded(): boolean {
    return this.#ended.signal.aborted
  }

  /** The first message. Undefined: none that could be a request arrived, and the WebSocket ends. */
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
        if (isBinary) this.end('unsupportedData', 'the request has to be a text message')
        else resolve(data as Buffer) // the type of the library without the option binaryType
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
      // Whatever is written from now on is read below, or announced here.
      const change = ledger.changes.next(signal)
      for (const element of stream.next()) {
        await this.#send(element)
        if (this.#hasEnded) return
      }
      if (!stream.openEnded) return this.end('complete')
      await change
      if (participant.ledger !== ledger) this.end('serviceRestart', 'the state of the participant was replaced')
      else if (rightsNow(caller, participant.users) !== rights) await refuse(staleStreamAuthorization())
    }
  }

  /** `expiresAt`: in seconds since 1970, by the machine's clock, as tokens say it. */
  async #endAt(expiresAt: number, refuse: Refuse): Promise<void> {
    await this.#circumstances.participant.clock.base.reach(
      BigInt(Math.ceil(expiresAt)) * 1_000_000n,
      this.#ended.signal,
    )
    await refuse(new RedactedError('PERMISSION_DENIED'))
  }

  /** Resolves when the client can be sent more, or has ended. */
  async #send(element: JsonValue): Promise<void> {
    if (this.#hasEnded) return
    const { unsent, stall } = this.#circumstances.limits
    const flushed = new Promise<void>((resolve) => this.#socket.send(printJson(element), () => resolve()))
    this.#sent += 1
    if (this.#sent % messagesInATurn === 0) await setImmediate()
    if (this.#socket.bufferedAmount <= unsent) return
    const timer = setTimeout(() => this.end('tryAgainLater', 'the client reads too slowly'), stall)
    await flushed
    clearTimeout(timer)
  }

  /** Answers that a client does not read would be held for it without an end. */
  #answerPing(data: Buffer): void {
    if (this.#hasEnded) return
    if (this.#socket.bufferedAmount > this.#circumstances.limits.unsent) {
      this.end('policyViolation', 'the client does not read the answers to its pings')
    } else this.#socket.pong(data)
  }
}

/** Why a WebSocket ends (RFC 6455, section 7.4.1, and the registry of close codes). */
const closeCodes = {
  /** The stream is complete, or its last message is an error. */
  complete: 1000,
  /** The simulator ends. */
  goingAway: 1001,
  /** The request is a binary message. */
  unsupportedData: 1003,
  /** No request in time, or answers to pings that the client does not read. */
  policyViolation: 1008,
  /** Another state took the place of the one that the stream shows. */
  serviceRestart: 1012,
  /** The client reads too slowly. */
  tryAgainLater: 1013,
} as const

// The library adds 1002 (frames that break the protocol), 1007 (text that is no UTF-8) and 1009 (a message above the body limit).
