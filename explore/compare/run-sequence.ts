/** Has the same conversation with both sides, turn by turn, up to where they differ. */
import { setTimeout as delay } from 'node:timers/promises'
import type { JsonValue } from '../../lib/json/json.js'
import type { Environment } from '../send/environment.js'
import { captureFrom, playTurn, type Told } from '../send/send-step.js'
import type { Side } from '../send/side.js'
import type { Turn } from '../send/step.js'
import { compareAnswers, type Difference, outcomeOf } from './compare-answers.js'
import { Correspondence } from './correspondence.js'

export interface Exchange {
  turn: Turn
  model: Told
  target: Told
  difference?: Difference
}

/** Both participants, each with its own environment. */
export interface Pair {
  model: Side
  target: Side
  environments: { model: Environment; target: Environment }
}

/** Where turns come from: drawn as answers come in, or written down before. */
export interface Source {
  /** Undefined: it is over. */
  next(): Turn | undefined
  /** What the model said: its body, if that was a success. */
  hear?(turn: Turn, answer: JsonValue | undefined): void
  /** Asked when the gate has let a turn through: it is over after all. */
  isOver?(): boolean
}

export interface Talk {
  exchanges: Exchange[]
  /** The exchange that ended it; undefined where both came to the end. */
  ended?: Exchange
}

/** Lets a turn through to both sides, as soon as it may. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

const open: Gate = (work) => work()

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
    const { model, target } = pair.environments
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

  /** Whoever changes what is vetted while this goes on makes it pointless to go on. */
  get dependsOnVetting(): boolean {
    return this.#ids.knowsSerials
  }

  /** All that was said so far, in this part and in those before. Each turn goes through the gate, once it has waited as long as it is to. */
  async talk(source: Source, gate: Gate = open): Promise<Talk> {
    for (let turn = source.next(); turn; turn = source.next()) {
      const exchange = await this.#exchange(turn, source, gate)
      if (!exchange) break
      this.#exchanges.push(exchange)
      if (exchange.difference && !this.#goesOn(exchange)) return { exchanges: this.#exchanges, ended: exchange }
    }
    return { exchanges: this.#exchanges }
  }

  async #exchange(turn: Turn, source: Source, gate: Gate): Promise<Exchange | undefined> {
    const variables = this.#variables
    if (turn.after !== undefined) await delay(turn.after)
    const told = await gate(async () => (source.isOver?.() ? undefined : this.#play(turn)))
    if (!told) return undefined
    const [ours, theirs] = told
    source.hear?.(turn, outcomeOf(ours) === 'accepted' ? ours.answer?.json : undefined)
    captureFrom(ours, turn, variables.model)
    captureFrom(theirs, turn, variables.target)
    const difference = turn.restores ? undefined : compareAnswers(ours, theirs, this.#ids)
    return { turn, model: ours, target: theirs, ...(difference && { difference }) }
  }

  #play(turn: Turn): Promise<[model: Told, target: Told]> {
    const { model, target } = this.#pair
    const variables = this.#variables
    return Promise.all([playTurn(turn, variables.model, model), playTurn(turn, variables.target, target)])
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
