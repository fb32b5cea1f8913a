/** Participants that are right but for once in a while, when several ask at once. */
import type { Test } from 'tap'
import type { JsonObject } from '../../../lib/json/json.js'
import { bodyOf, json } from '../../../simulator/mutants/alterations.js'
import type { InterceptedAnswer, InterceptedRequest } from '../../../simulator/participant/interceptor.js'
import type { Interceptor } from '../../../simulator/participant/participant.js'
import { createParticipant, serve } from '../../../simulator/simulator.js'

/**
 * `winners`: some losers of races are told that they won; `losses`: of some submissions is told that they are there, and they are not;
 * `unsaid`: some of those that are there are answered with an error of the server, which may mean either.
 */
export type IntermittentFault = 'winners' | 'losses' | 'unsaid'

/** Whether it is now: of the loser, or the submission, with that number. */
type Now = (count: number) => boolean

/** The URL of one, until the test ends. */
export async function intermittentParticipant(
  t: Pick<Test, 'teardown'>,
  kind: IntermittentFault,
  now: Now,
): Promise<string> {
  const participant = await createParticipant()
  participant.interceptor = interceptors[kind](now)
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  return url
}

const made = (count: number): JsonObject => ({
  updateId: `1220${String(count).padStart(64, '0')}`,
  completionOffset: 1_000_000 + count,
})

const winning =
  (now: Now): Interceptor =>
  ({ handle }) => {
    let losers = 0
    return async (request) => {
      const answer = await handle(request)
      const isLoser = answer.status >= 400 && usesUp.test(commandOf(request))
      if (isLoser) losers += 1
      return isLoser && now(losers) ? json(200, made(losers)) : answer
    }
  }

/** `wrong`: what is said now and then of a submission, that is asked for or not. */
const submitting =
  (wrong: (handle: () => Promise<InterceptedAnswer>, count: number) => Promise<InterceptedAnswer>) =>
  (now: Now): Interceptor =>
  ({ handle }) => {
    let submissions = 0
    return async (request) => {
      if (!submits.test(commandOf(request))) return handle(request)
      submissions += 1
      return now(submissions) ? wrong(() => handle(request), submissions) : handle(request)
    }
  }

const losing = submitting(async (_, count) => json(200, made(count)))

const unsaying = submitting(async (handle) => {
  await handle()
  return { status: 503, contentType: 'text/plain', text: 'later' }
})

const interceptors: Readonly<Record<IntermittentFault, (now: Now) => Interceptor>> = {
  winners: winning,
  losses: losing,
  unsaid: unsaying,
}

/** What several clients ask at once has names of its own. One kind of round for each participant: which one tells of it is no matter of chance. */
const usesUp = /^use-/
const submits = /^(?:other|own)-/

const commandOf = (request: InterceptedRequest): string =>
  request.operation === 'submit-and-wait' ? String(bodyOf(request)?.['commandId']) : ''
