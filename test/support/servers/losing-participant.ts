/** Participants that are right but for once in a while, when several ask at once. */
import type { Test } from 'tap'
import type { JsonObject } from '../../../lib/json/json.js'
import { bodyOf, json } from '../../../simulator/mutants/alterations.js'
import type { Asked, Told } from '../../../simulator/participant/door.js'
import type { Doorkeeper } from '../../../simulator/participant/participant.js'
import { createParticipant, serve } from '../../../simulator/simulator.js'

/**
 * `winners`: some losers of races are told that they won; `losses`: of some submissions is told that they are there, and they are not;
 * `unsaid`: some of those that are there are answered with an error of the server, which may mean either.
 */
export type Losing = 'winners' | 'losses' | 'unsaid'

/** Whether it is now: of the loser, or the submission, with that number. */
type Now = (count: number) => boolean

/** The URL of one, until the test ends. */
export async function losingParticipant(t: Pick<Test, 'teardown'>, kind: Losing, now: Now): Promise<string> {
  const participant = await createParticipant()
  participant.door = doors[kind](now)
  const { url, close } = await serve(participant)
  t.teardown(() => close())
  return url
}

const made = (count: number): JsonObject => ({
  updateId: `1220${String(count).padStart(64, '0')}`,
  completionOffset: 1_000_000 + count,
})

const winning =
  (now: Now): Doorkeeper =>
  ({ ask }) => {
    let losers = 0
    return async (asked) => {
      const told = await ask(asked)
      const isLoser = told.status >= 400 && usesUp.test(commandOf(asked))
      if (isLoser) losers += 1
      return isLoser && now(losers) ? json(200, made(losers)) : told
    }
  }

/** `wrong`: what is said now and then of a submission, that is asked for or not. */
const submitting =
  (wrong: (ask: () => Promise<Told>, count: number) => Promise<Told>) =>
  (now: Now): Doorkeeper =>
  ({ ask }) => {
    let submissions = 0
    return async (asked) => {
      if (!submits.test(commandOf(asked))) return ask(asked)
      submissions += 1
      return now(submissions) ? wrong(() => ask(asked), submissions) : ask(asked)
    }
  }

const losing = submitting(async (_, count) => json(200, made(count)))

const unsaying = submitting(async (ask) => {
  await ask()
  return { status: 503, contentType: 'text/plain', text: 'later' }
})

const doors: Readonly<Record<Losing, (now: Now) => Doorkeeper>> = { winners: winning, losses: losing, unsaid: unsaying }

/** What several clients ask at once has names of its own. One kind of round for each participant: which one tells of it is no matter of chance. */
const usesUp = /^use-/
const submits = /^(?:other|own)-/

const commandOf = (asked: Asked): string =>
  asked.operation === 'submit-and-wait' ? String(bodyOf(asked)?.['commandId']) : ''
