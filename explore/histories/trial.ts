/** What several clients ask at once, and what may come of it. */
import type { JsonValue } from '../../lib/json/json.js'
import type { Random } from '../generate/random.js'
import type { Told } from '../send/send-step.js'
import type { Turn } from '../send/step.js'
import type { SequentialModel } from './linearizability.js'

/** A turn of one client; its words are what the picture shows. */
export interface Operation<Input> {
  client: number
  input: Input
  turn: Turn
}

/**
 * `Input` and `Output` are what the sequential model knows of requests and answers. `setUp` comes before, one turn after the other;
 * `fence` afterwards, by a reader who sees all that was told of before: nothing late, lost or doubled escapes it.
 */
export interface Round<State = unknown, Input = unknown, Output = unknown> {
  name: string
  /** What is broken where no order explains the answers. */
  rules: readonly string[]
  sentence: string
  setUp: readonly Turn[]
  operations: readonly Operation<Input>[]
  fence: readonly { turn: Turn; input: Input }[]
  /** What an answer says to the model; undefined: nothing that it could be held to. */
  read(input: Input, told: Told, variables: ReadonlyMap<string, JsonValue>): Output | undefined
  model: SequentialModel<State, Input, Output>
  /** Puts back what others would miss. */
  restore?: readonly Turn[]
}

export type MakeRound = (random: Random, number: number) => Round
