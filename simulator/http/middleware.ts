import type { Request, Response } from 'express'
import { type Answer, send } from './answer.js'
import type { Endpoint } from './endpoint.js'

/** A request and the way back to who sent it. */
export interface Exchange {
  request: Request
  response: Response
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
