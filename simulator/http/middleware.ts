import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, send } from './answer.js'
import type { RequestHead } from './call.js'
import type { Endpoint } from './endpoint.js'

/** A request whose operation was looked for. */
export interface ArrivedRequest extends IncomingMessage, RequestHead {
  method: string
  /** In its one canonical spelling. */
  url: string
  /** As it was spelt. */
  originalUrl: string
}

/** A request and the way back to who sent it. */
export interface Exchange {
  request: ArrivedRequest
  response: ServerResponse
  /** Absent: no operation has this path, or not with this method. */
  endpoint: Endpoint | undefined
  /** The whole body, read once however often it is asked for. Rejects with `BodyTooLarge`, `RequestAborted`. */
  body(): Promise<Buffer>
}

/**
 * What stands between the network and the operations: it sees every call, and decides what becomes of its answer. `answer`
 * lets the operation run; it rejects with `RequestAborted`, and with nothing else.
 */
export type Middleware = (exchange: Exchange, answer: () => Promise<Answer>) => Promise<void>

/** Every answer goes out as it is. */
export const direct: Middleware = async ({ response }, answer) => send(response, await answer())
