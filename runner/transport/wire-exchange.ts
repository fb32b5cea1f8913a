import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { WireForm } from '../../record/types/resolved-row.js'
import { countInterimAnswers } from '../target/connection/open-connection.js'
import type { BuiltRequest } from './build-request.js'
import { type FoundAnswer, firstAnswer, type HttpAnswer, noChunks } from './http-answer.js'
import { AnswerTooLong, ClosedBetween } from './problem.js'

const requestTimeout = 408

/** Milliseconds to wait for `100 Continue`. */
const maxContinueWait = 1000

class ConnectionClosed extends Error {
  override readonly name: string = 'ConnectionClosed'
  readonly code = 'closed'
}

/**
 * Returns the last answer; a 408 ends the sequence. Rejects with `NotHttp`, `AnswerTooLong`, `TooManyInterimAnswers`, `ConnectionClosed`,
 * `ClosedBetween` or a socket error.
 */
export async function wireExchange(
  socket: Socket,
  host: string,
  request: BuiltRequest & { wire: WireForm },
  maxBytes: number,
): Promise<HttpAnswer> {
  const { wire, method, body } = request
  const answers = new Answers(socket, maxBytes, method === 'HEAD')
  const bodies = [...(wire.before ?? []).map((text) => Buffer.from(text, 'utf8')), body]
  if (wire.pipelined)
    for (const [index, one] of bodies.entries()) write(socket, host, request, one, index + 1 < bodies.length)
  let last: HttpAnswer | undefined
  for (const [index, one] of bodies.entries()) {
    if (!wire.pipelined) {
      write(socket, host, request, wire.expect ? undefined : one, index + 1 < bodies.length, one)
      if (wire.expect && one) await sendAfterContinue(socket, wire.chunked ? chunked(one) : one, answers)
    }
    const { answer, announcesClose } = await answers.next(index > 0)
    last = answer
    if (last.status === requestTimeout) break
    if (index + 1 < bodies.length && announcesClose) throw new ClosedBetween(true)
  }
  if (!last) throw new Error('a request is always sent')
  return last
}

function write(
  socket: Socket,
  host: string,
  { method, path, headers, wire }: BuiltRequest & { wire: WireForm },
  body: Buffer | undefined,
  more: boolean,
  announced = body,
): void {
  const framing = announced && (wire.chunked ? 'transfer-encoding: chunked' : `content-length: ${announced.length}`)
  const lines = [
    `${method} ${path} HTTP/${wire.version ?? '1.1'}`,
    `host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(framing === undefined ? [] : [framing]),
    ...(wire.expect ? ['expect: 100-continue'] : []),
    `connection: ${more ? 'keep-alive' : 'close'}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (body) socket.write(wire.chunked ? chunked(body) : body)
}

/** Split across two chunks, so a single read is not enough. */
function chunked(body: Buffer): Buffer {
  const middle = Math.ceil(body.length / 2)
  const pieces = [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0)
  return Buffer.concat(
    [...pieces.flatMap((piece) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n']), '0\r\n\r\n'].map(bytesOf),
  )
}

const bytesOf = (piece: string | Buffer): Buffer => Buffer.from(piece)

async function sendAfterContinue(socket: Socket, body: Buffer, answers: Answers): Promise<void> {
  const giveUp = new AbortController()
  const waited = delay(maxContinueWait, undefined, { signal: giveUp.signal }).catch(() => undefined)
  await Promise.race([answers.begun(), waited])
  giveUp.abort()
  if (!answers.isFinal()) socket.write(body)
}

class Answers {
  #buffer = Buffer.alloc(0)
  /** The received part of the buffer. */
  #bytes = Buffer.alloc(0)
  #chunks = noChunks()
  #ended = false
  readonly #maxBytes: number
  readonly #toHead: boolean
  #failure: Error | undefined
  #wake: () => void = () => undefined

  constructor(socket: Socket, maxBytes: number, toHead: boolean) {
    this.#maxBytes = maxBytes
    this.#toHead = toHead
    socket.on('data', (bytes: Buffer) => {
      this.#append(bytes)
      this.#wake()
    })
    socket.on('end', () => this.#end())
    socket.on('close', () => this.#end())
    socket.on('error', (error: Error) => this.#end(error))
  }

  async begun(): Promise<void> {
    while (this.#bytes.length === 0 && !this.#ended) await this.#more()
  }

  /** An answer other than 1xx. */
  isFinal(): boolean {
    return /^HTTP\/1\.[01] [2-5]/.test(this.#bytes.toString('latin1', 0, 16))
  }

  async next(isLater: boolean): Promise<FoundAnswer> {
    const countInterim = countInterimAnswers()
    for (;;) {
      const found = firstAnswer(this.#bytes, this.#ended && !this.#failure, this.#toHead, this.#chunks)
      if (found) {
        this.#buffer = Buffer.from(found.rest)
        this.#bytes = this.#buffer
        this.#chunks = noChunks()
        if (found.answer.status >= 200) return found
        countInterim()
        continue
      }
      if (this.#bytes.length > this.#maxBytes) throw new AnswerTooLong(this.#maxBytes)
      if (this.#ended && isLater && this.#bytes.length === 0) throw new ClosedBetween(false)
      if (this.#ended) throw this.#failure ?? new ConnectionClosed('the connection was closed')
      await this.#more()
    }
  }

  /** Doubles a full buffer: long answers arrive in many pieces. */
  #append(piece: Buffer): void {
    const length = this.#bytes.length + piece.length
    if (length > this.#buffer.length) this.#buffer = Buffer.concat([this.#bytes], length * 2)
    piece.copy(this.#buffer, this.#bytes.length)
    this.#bytes = this.#buffer.subarray(0, length)
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #end(failure?: Error): void {
    this.#ended = true
    this.#failure ??= failure
    this.#wake()
  }
}
