/** What a variant is, and what variants are put together from. */

import { operations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import { bodyOf, json } from '../mutants/alterations.js'
import type { Handler, InterceptedAnswer, InterceptedRequest, KnownOperation } from '../participant/interceptor.js'
import type { Interceptor } from '../participant/participant.js'

/**
 * A participant that conforms to the text and differs from the simulator where the text leaves a choice. A run by the profile
 * `interface` reports no failure against it.
 */
export interface Variant {
  /** Lower case, with hyphens. */
  name: string
  /** What such a participant does, as one sentence about it. */
  sentence: string
  /** The sentence that permits it, or what the text does not say. */
  permittedBy: string
  interceptor: Interceptor
  /** With it hardly a row is left that can be judged. */
  isSparing?: true
  /** The reference participant shows it, too. */
  reference?: true
  /** It has another limit of `tapsMaxPasses` than the simulator, so no declared fact gives the limit. */
  hasOwnTapsLimit?: true
  /** Bytes of the largest body that it reads. */
  bodyLimit?: number
  /** A body above the limit is refused before it has been read, and the connection ends with the answer. */
  cutsOff?: true
}

export const variant = (name: string, sentence: string, permittedBy: string, interceptor: Interceptor): Variant => ({
  name,
  sentence,
  permittedBy,
  interceptor,
})

export const judged = Object.keys(operations) as (keyof typeof operations)[] // the keys of the table

export const isJudged = ({ operation }: InterceptedRequest): boolean => judged.some((name) => name === operation)

/** Alters whatever the judged operations refuse. */
export const alteringRefusals =
  (change: (answer: InterceptedAnswer) => InterceptedAnswer): Interceptor =>
  ({ handle }) =>
  async (request) => {
    const answer = await handle(request)
    return isJudged(request) && answer.status >= 400 && answer.status < 500 ? change(answer) : answer
  }

/** Alters whatever the judged operations accept. */
export const alteringSuccesses =
  (change: (answer: InterceptedAnswer, request: InterceptedRequest) => InterceptedAnswer): Interceptor =>
  ({ handle }) =>
  async (request) => {
    const answer = await handle(request)
    return isJudged(request) && answer.status === 200 ? change(answer, request) : answer
  }

/** Refuses what a judged operation is asked, where `problem` finds something in its body. */
export const refusing =
  (problem: (body: JsonObject, operation: KnownOperation) => string | undefined): Interceptor =>
  ({ handle }) =>
  async (request) => {
    const body = isJudged(request) ? bodyOf(request) : undefined
    const found = body && request.operation && problem(body, request.operation)
    if (found === undefined) return handle(request)
    // Whoever may not ask at all is told that first.
    const who = await handle({ ...request, method: 'GET', path: '/v2/state/ledger-end', body: Buffer.alloc(0) })
    if (who.status === 401 || who.status === 403) return who
    return json(400, { code: 'INVALID_ARGUMENT', cause: found })
  }

/** All of them at once, the first one nearest to the participant. */
export const together =
  (several: readonly Pick<Variant, 'interceptor'>[]): Interceptor =>
  (stage) =>
    several.reduce<Handler>((handle, { interceptor }) => interceptor({ ...stage, handle }), stage.handle)
