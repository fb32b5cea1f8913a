/** What freedoms are put together from. */
import type { JsonObject } from '../../interface/json.js'
import { operations } from '../../interface/operations.js'
import { bodyOf, json } from './alterations.js'
import type { Asked, Lie, OperationName, Told } from './stage.js'

/** As a lie, but it breaks no rule. `silence`: what the text does not say, so that a participant may be like that. */
export interface Freedom extends Lie {
  silence: string
}

export const freedom = (name: string, sentence: string, silence: string, tell: Lie['tell']): Freedom => ({
  name,
  sentence,
  rules: [],
  silence,
  tell,
})

export const judged = Object.keys(operations) as (keyof typeof operations)[] // the keys of the table

export const isJudged = ({ operation }: Asked): boolean => judged.some((name) => name === operation)

/** Alters whatever the judged operations refuse. */
export const alteringRefusals =
  (change: (told: Told) => Told): Lie['tell'] =>
  ({ ask }) =>
  async (asked) => {
    const told = await ask(asked)
    return isJudged(asked) && told.status >= 400 && told.status < 500 ? change(told) : told
  }

/** Alters whatever the judged operations accept. */
export const alteringSuccesses =
  (change: (told: Told, asked: Asked) => Told): Lie['tell'] =>
  ({ ask }) =>
  async (asked) => {
    const told = await ask(asked)
    return isJudged(asked) && told.status === 200 ? change(told, asked) : told
  }

/** Refuses what a judged operation is asked, where `problem` finds something in its body. */
export const refusing =
  (problem: (body: JsonObject, operation: OperationName) => string | undefined): Lie['tell'] =>
  ({ ask }) =>
  async (asked) => {
    const body = isJudged(asked) ? bodyOf(asked) : undefined
    const found = body && asked.operation && problem(body, asked.operation)
    if (found === undefined) return ask(asked)
    // Whoever may not ask at all is told that first.
    const who = await ask({ ...asked, method: 'GET', path: '/v2/state/ledger-end', body: Buffer.alloc(0) })
    if (who.status === 401 || who.status === 403) return who
    return json(400, { code: 'INVALID_ARGUMENT', cause: found })
  }

/** Each of several, the first one nearest to the simulator. */
export const together = (several: readonly Lie[]): Lie => ({
  name: 'together',
  sentence: 'All of them at once.',
  rules: [],
  tell: (stage) =>
    several.reduce<(asked: Asked) => Promise<Told>>((ask, { tell }) => tell({ ...stage, ask }), stage.ask),
})
