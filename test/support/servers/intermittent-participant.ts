import type { Test } from 'tap'
import { bodyOf, json } from '../../../lab/interceptors/bodies.js'
import type { JsonObject } from '../../../lib/json/json.js'
import type { InterceptedAnswer, InterceptedRequest, Interceptor } from '../../../simulator/participant/participant.js'
import { createParticipant, serve } from '../../../simulator/simulator.js'

/** `winners`: losers of a race succeed. `losses`: successes have no effect. `unsaid`: effects have a server error. */
export type IntermittentFault = 'winners' | 'losses' | 'unsaid'

/** By the number of the loser or submission. */
type IsAffected = (count: number) => boolean

export async function intermittentParticipant(
  t: Pick<Test, 'teardown'>,
  kind: IntermittentFault,
  isAffected: IsAffected,
): Promise<string> {
  const participant = await createParticipant()
  participant.interceptor = interceptors[kind](isAffected)
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  return url
}

const made = (count: number): JsonObject => ({
  updateId: `1220${String(count).padStart(64, '0')}`,
  completionOffset: 1_000_000 + count,
})

const winning =
  (isAffected: IsAffected): Interceptor =>
  ({ handle }) => {
    let losers = 0
    return async (request) => {
      const answer = await handle(request)
      const isLoser = answer.status >= 400 && consumes.test(commandOf(request))
      if (isLoser) losers += 1
      return isLoser && isAffected(losers) ? json(200, made(losers)) : answer
    }
  }

/** `wrong` answers affected submissions, and may handle them. */
const submitting =
  (wrong: (handle: () => Promise<InterceptedAnswer>, count: number) => Promise<InterceptedAnswer>) =>
  (isAffected: IsAffected): Interceptor =>
  ({ handle }) => {
    let submissions = 0
    return async (request) => {
      if (!submits.test(commandOf(request))) return handle(request)
      submissions += 1
      return isAffected(submissions) ? wrong(() => handle(request), submissions) : handle(request)
    }
  }

const losing = submitting(async (_, count) => json(200, made(count)))

const unsaying = submitting(async (handle) => {
  await handle()
  return { status: 503, contentType: 'text/plain', text: 'later' }
})

const interceptors: Readonly<Record<IntermittentFault, (isAffected: IsAffected) => Interceptor>> = {
  winners: winning,
  losses: losing,
  unsaid: unsaying,
}

/** Each participant has one fault, so one kind of trial finds it. */
const consumes = /^use-/
const submits = /^(?:other|own)-/

const commandOf = (request: InterceptedRequest): string =>
  request.operation === 'submit-and-wait' ? String(bodyOf(request)?.['commandId']) : ''
