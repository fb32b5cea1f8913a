import type { RequestListener } from 'node:http'
import { send } from './answer.js'
import { remark } from './request-log.js'

/** Saves the state. */
export interface Keeper {
  /** Call it after each request that may have changed the state. */
  changed(): void
  /** Of the latest save. */
  readonly problem: string | undefined
}

/** Otherwise clients rely on changes that the next start has lost. A refused change is a reason for another save. */
export const refuseUnsaved =
  (listener: RequestListener, keeper: Keeper): RequestListener =>
  (request, response) => {
    const { method, url = '' } = request
    if (method === 'GET') return listener(request, response)
    response.once('close', () => keeper.changed())
    const { problem } = keeper
    if (problem === undefined || url.startsWith('/control/')) return listener(request, response)
    remark(request, problem)
    send(response, {
      status: 503,
      text: `The simulator rejects changes, because it cannot save its state (${problem}, see its log).`,
    })
  }
