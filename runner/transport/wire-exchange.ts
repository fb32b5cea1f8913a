/** Exchanges in forms that HTTP/1 knows and no client library sends: its bytes are written as they are described. */
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { WireForm } from '../../record/types/resolved-row.js'
import { countInterimAnswers } from '../target/connection/interim-answers.js'
import type { BuiltRequest } from './build-request.js'
import { firstAnswer, type HttpAnswer, noChunks } from './http-answer.js'
import { AnswerTooLong } from './problem.js'

const requestTimeout = 408

/** Milliseconds that a client waits to be told to go on before it sends its body all the same. */
const longestExpectation = 1000

/** The server closed the connection before the last answer was complete. */
class ConnectionClosed extends Error {
  override readonly name: string = 'ConnectionClosed'
  readonly code = 'closed'
}

/** It had answered earlier ones, and said nothing to the next: by HTTP it may end a connection that it has kept, at any time. */
export class ClosedBetween extends ConnectionClosed {
  override readonly name = 'ClosedBetween'
}

/**
 * Sends the bodies of `before` and then the request itself over the socket, and gives the answer to the last one. Rejects with
 * `NotHttp`, `AnswerTooLong`, `TooManyInterimAnswers`, `ConnectionClosed`, `ClosedBetween`, or what the socket ends with. A server that has waited too long
 * for one of them (408) answers no other: its answer is that.
 */
export async function wireExchange(
  socket: Socket,
  host: string,
  request: BuiltRequest & { wire: WireForm },
  maxAnswerBytes: number,
): Promise<HttpAnswer> {
  const { wire, method, body } = request
  const answers = new Answers(socket, maxAnswerBytes, method === 'HEAD')
  const bodies = [...(wire.before ?? []).map((text) => Buffer.from(text, 'utf8')), body]
  if (wire.pipelined)
    for (const [index, one] of bodies.entries()) write(socket, host, request, one, index + 1 < bodies.length)
  let last: HttpAnswer | undefined
  for (const [index, one] of bodies.entries()) {
    if (!wire.pipelined) {
      write(socket, host, request, wire.expect ? undefined : one, index + 1 < bodies.length, one)
      if (wire.expect && one) await sendWhenTold(socket, wire.chunked ? chunked(one) : one, answers)
    }
    last = await answers.next(index > 0)
    if (last.status === requestTimeout) break
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

/** In two pieces, so that one is not enough. */
function chunked(body: Buffer): Buffer {
  const middle = Math.ceil(body.length / 2)
  const pieces = [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0)
  return Buffer.concat(
    [...pieces.flatMap((piece) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n']), '0\r\n\r\n'].map(bytesOf),
  )
}

const bytesOf = (piece: string | Buffer): Buffer => Buffer.from(piece)

/** A server may answer without wanting the body, tell to go on, or leave it at that. */
async function sendWhenTold(socket: Socket, body: Buffer, answers: Answers): Promise<void> {
  const giveUp = new AbortController()
  const waited = delay(longestExpectation, undefined, { signal: giveUp.signal }).catch(() => undefined)
  await Promise.race([answers.begun(), waited])
  giveUp.abort()
  if (!answers.isFinal()) socket.write(body)
}

/** The answers that come over a connection, one after the other. */
class Answers {
  #room = Buffer.alloc(0)
  /** What has come and belongs to no answer yet: the beginning of the room. */
  #bytes = Buffer.alloc(0)
  /** Of the answer that is being read. */
  #chunks = noChunks()
  #ended = false
  readonly #longest: number
  readonly #toHead: boolean
  #failure: Error | undefined
  #wake: () => void = () => undefined

  constructor(socket: Socket, longest: number, toHead: boolean) {
    this.#longest = longest
    this.#toHead = toHead
    socket.on('data', (bytes: Buffer) => {
      this.#append(bytes)
      this.#wake()
    })
    socket.on('end', () => this.#end())
    socket.on('close', () => this.#end())
    socket.on('error', (error: Error) => this.#end(error))
  }

  /** Until something has come, or nothing more will. */
  async begun(): Promise<void> {
    while (this.#bytes.length === 0 && !this.#ended) await this.#more()
  }

  /** Whether what has come is no mere word to go on. */
  isFinal(): boolean {
    return /^HTTP\/1\.[01] [2-5]/.test(this.#bytes.toString('latin1', 0, 16))
  }

  /** `isLater`: there was one before it. */
  async next(isLater: boolean): Promise<HttpAnswer> {
    const countInterim = countInterimAnswers()
    for (;;) {
      const found = firstAnswer(this.#bytes, this.#ended && !this.#failure, this.#toHead, this.#chunks)
      if (found) {
        this.#room = Buffer.from(found.rest)
        this.#bytes = this.#room
        this.#chunks = noChunks()
        if (found.answer.status >= 200) return found.answer
        countInterim()
        continue
      }
      if (this.#bytes.length > this.#longest) throw new AnswerTooLong(this.#longest)
      if (this.#ended && isLater && this.#bytes.length === 0)
        throw new ClosedBetween('the connection was closed after an earlier answer')
      if (this.#ended) throw this.#failure ?? new ConnectionClosed('the connection was closed')
      await this.#more()
    }
  }

  /** Into a buffer that grows by doubling: long answers come in many pieces. */
  #append(piece: Buffer): void {
    const length = this.#bytes.length + piece.length
    if (length > this.#room.length) this.#room = Buffer.concat([this.#bytes], length * 2)
    piece.copy(this.#room, this.#bytes.length)
    this.#bytes = this.#room.subarray(0, length)
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
