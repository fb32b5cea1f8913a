import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, send } from './answer.js'
import type { RequestHead } from './call.js'
import type { Endpoint } from './endpoint.js'

export interface ArrivedRequest extends IncomingMessage, RequestHead {
  method: string
  /** Canonical. */
  url: string
  /** As received. */
  originalUrl: string
}

export interface Exchange {
  request: ArrivedRequest
  response: ServerResponse
  /** Absent: unknown. */
  endpoint: Endpoint | undefined
  /** Reads the body once. Rejects with `BodyTooLarge`, `RequestAborted`. */
  body(): Promise<Buffer>
}

/** `answer` runs the operation and rejects only with `RequestAborted`. */
export type Middleware = (exchange: Exchange, answer: () => Promise<Answer>) => Promise<void>

export const direct: Middleware = async ({ response }, answer) => send(response, await answer())
