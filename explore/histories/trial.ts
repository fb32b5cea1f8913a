/** Concurrency trials: concurrent requests of several clients, and the sequential specification of their answers. */
import type { JsonValue } from '../../lib/json/json.js'
import type { Random } from '../generate/random.js'
import type { StepResult } from '../send/send-step.js'
import type { Step } from '../send/step.js'
import type { SequentialSpecification } from './linearizability.js'

/** A step of one client. Its description appears in the picture of a history. */
export interface Operation<Input> {
  client: number
  input: Input
  step: Step
}

/** `Input` and `Output` are requests and answers as the specification represents them. */
export interface Trial<State = unknown, Input = unknown, Output = unknown> {
  name: string
  /** Rules that a non-linearizable history breaks. */
  rules: readonly string[]
  /** The property that each history must have. */
  sentence: string
  /** Sent first, one after the other. */
  setup: readonly Step[]
  /** The steps of different clients are concurrent. */
  operations: readonly Operation<Input>[]
  /** Sent after all operations. They reveal late, lost and duplicate effects. */
  finalReads: readonly { step: Step; input: Input }[]
  /** Undefined if the answer does not restrict the order. */
  outputOf(input: Input, result: StepResult, variables: ReadonlyMap<string, JsonValue>): Output | undefined
  specification: SequentialSpecification<State, Input, Output>
  restore?: readonly Step[]
}

export type MakeTrial = (random: Random, number: number) => Trial
