/** Has the same conversation with both sides, turn by turn, up to where they differ. */
import type { JsonValue } from '../../interface/json.js'
import { compareAnswers, type Difference, outcomeOf } from '../compare/compare-answers.js'
import { Correspondence } from '../compare/correspondence.js'
import type { Turn } from '../talk/conversation.js'
import { captureFrom, playTurn, type Told } from '../talk/play-turn.js'
import type { Side } from '../talk/side.js'
import type { World } from '../talk/world.js'

export interface Exchange {
  turn: Turn
  model: Told
  target: Told
  difference?: Difference
}

/** Both participants, each with its own world. */
export interface Pair {
  model: Side
  target: Side
  worlds: { model: World; target: World }
}

/** Where turns come from: drawn as answers come in, or written down before. */
export interface Source {
  /** Undefined: it is over. */
  next(): Turn | undefined
  /** What the model said: its body, if that was a success. */
  hear?(turn: Turn, answer: JsonValue | undefined): void
}

export interface Talk {
  exchanges: Exchange[]
  /** The exchange that ended it; undefined where both came to the end. */
  ended?: Exchange
}

/** `goesOn`: whether there is more to be learned behind a difference. `row` is unique to this time. */
export const converse = (
  pair: Pair,
  source: Source,
  row: string,
  goesOn: (exchange: Exchange) => boolean,
): Promise<Talk> => new Conversing(pair, row, goesOn).talk(source)

/** A conversation that may be had in parts: what one part was told is known in the next. */
export class Conversing {
  readonly #pair: Pair
  readonly #goesOn: (exchange: Exchange) => boolean
  readonly #ids = new Correspondence()
  readonly #variables: { model: Map<string, JsonValue>; target: Map<string, JsonValue> }
  readonly #exchanges: Exchange[] = []

  constructor(pair: Pair, row: string, goesOn: (exchange: Exchange) => boolean) {
    const { model, target } = pair.worlds
    this.#pair = pair
    this.#goesOn = goesOn
    for (const [name, own] of model.variables) {
      const other = target.variables.get(name)
      if (typeof own === 'string' && typeof other === 'string') bindParts(own, other, this.#ids)
    }
    this.#variables = {
      model: new Map(model.variables).set('row', row),
      target: new Map(target.variables).set('row', row),
    }
  }

  /** All that was said so far, in this part and in those before. */
  async talk(source: Source): Promise<Talk> {
    for (let turn = source.next(); turn; turn = source.next()) {
      const exchange = await this.#exchange(turn, source)
      this.#exchanges.push(exchange)
      if (exchange.difference && !this.#goesOn(exchange)) return { exchanges: this.#exchanges, ended: exchange }
    }
    return { exchanges: this.#exchanges }
  }

  async #exchange(turn: Turn, source: Source): Promise<Exchange> {
    const { model, target } = this.#pair
    const variables = this.#variables
    const [ours, theirs] = await Promise.all([
      playTurn(turn, variables.model, model),
      playTurn(turn, variables.target, target),
    ])
    source.hear?.(turn, outcomeOf(ours) === 'accepted' ? ours.answer?.json : undefined)
    captureFrom(ours, turn, variables.model)
    captureFrom(theirs, turn, variables.target)
    const difference = turn.restores ? undefined : compareAnswers(ours, theirs, this.#ids)
    return { turn, model: ours, target: theirs, ...(difference && { difference }) }
  }
}

/** Names of parties end with what answers hold by itself. */
function bindParts(own: string, other: string, ids: Correspondence): void {
  const [ours, theirs] = [own, other].map((text) => /1220[0-9a-f]{64}/.exec(text)?.[0])
  if (ours !== undefined && theirs !== undefined) ids.bind(ours, theirs)
}

/** Turns that are known from the start. */
export function written(turns: readonly Turn[]): Source {
  const left = [...turns]
  return { next: () => left.shift() }
}
