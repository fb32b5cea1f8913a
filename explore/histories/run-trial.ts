/** Has several clients ask at once, and holds what they were told against what can happen one after the other. */
import type { JsonValue } from '../../lib/json/json.js'
import { outcomeOf, saidBy } from '../compare/compare-answers.js'
import type { Environment } from '../send/environment.js'
import { captureFrom, playTurn, type Told } from '../send/send-step.js'
import type { Side } from '../send/side.js'
import type { Turn } from '../send/step.js'
import { type Call, linearize } from './linearizability.js'
import type { Round } from './trial.js'

/** One call, as people read it. */
export interface ToldCall {
  client: number
  about: string
  said: string
  sent: number
  /** Undefined: no answer came. */
  answered?: number
}

/** Answers that no order explains. */
export interface Impossible {
  round: string
  rules: readonly string[]
  sentence: string
  calls: ToldCall[]
  /** The longest sequence that could have happened, by indices of the calls. */
  longest: readonly number[]
}

export interface PlayedRound {
  requests: number
  impossible?: Impossible
}

/** `row` is unique to this time. */
export async function playRound(round: Round, side: Side, environment: Environment, row: string): Promise<PlayedRound> {
  const variables = new Map<string, JsonValue>(environment.variables).set('row', row)
  const history: Call<unknown, unknown>[] = []
  const calls: ToldCall[] = []
  let isUncertain = false
  for (const [index, turn] of round.setUp.entries()) {
    const told = await playTurn(turn, variables, side)
    // Nobody knows what a round begins with that could not be set up.
    if (outcomeOf(told) !== 'accepted') return { requests: index + 1 }
    captureFrom(told, turn, variables)
  }
  const note = (client: number, turn: Turn, input: unknown, told: Told, [sent, answered]: [number, number]): void => {
    const output = round.read(input, told, variables)
    isUncertain ||= outcomeOf(told) === 'server-error'
    if (told.unsent !== undefined || (output === undefined && told.answer)) return
    calls.push({ client, about: turn.about, said: saidBy(told), sent, ...(told.answer && { answered }) })
    history.push({ client, input, output, sent, answered: told.answer ? answered : Number.POSITIVE_INFINITY })
  }
  const clients = [...new Set(round.operations.map(({ client }) => client))]
  const sides = side.clients(clients.length)
  const scope = new Map(variables)
  await Promise.all(
    clients.map(async (client, index) => {
      for (const { turn, input } of round.operations.filter((one) => one.client === client)) {
        const sent = performance.now()
        const told = await playTurn(turn, scope, sides[index] ?? side)
        note(client, turn, input, told, [sent, performance.now()])
      }
    }),
  )
  for (const { turn, input } of round.fence) {
    const sent = performance.now()
    const told = await playTurn(turn, variables, side)
    captureFrom(told, turn, variables)
    note(clients.length, turn, input, told, [sent, performance.now()])
  }
  for (const turn of round.restore ?? []) await playTurn(turn, variables, side)
  const requests = round.setUp.length + round.operations.length + round.fence.length
  const { name, rules, sentence } = round
  // Whatever was not answered, or with an error of the server, may have happened or not, with ids that nobody was told.
  if (isUncertain || calls.some(({ answered }) => answered === undefined)) return { requests }
  const { isPossible, longest } = linearize(history, round.model)
  return { requests, ...(!isPossible && { impossible: { round: name, rules, sentence, calls, longest } }) }
}
