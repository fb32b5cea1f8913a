/** Concurrent requests of several clients, and the sequential specification of their answers. */
import type { JsonValue } from '../../lib/json/json.js'
import type { NonLinearizableHistory, RecordedCall, Step } from '../../record/types/exploration.js'
import { outcomeOf, summarizeAnswer } from '../compare/compare-answers.js'
import type { Draw } from '../generate/draw.js'
import type { Environment } from '../send/environment.js'
import type { Side } from '../send/side.js'
import { captureFrom, type StepResult, sendStep } from '../send/step.js'
import { type Call, linearize, type SequentialSpecification } from './linearizability.js'

export interface Operation<Input> {
  client: number
  input: Input
  step: Step
}

/** `Input` and `Output`: requests and answers of the specification. */
export interface Trial<State = unknown, Input = unknown, Output = unknown> {
  name: string
  /** Rules that a non-linearizable history breaks. */
  rules: readonly string[]
  sentence: string
  setup: readonly Step[]
  /** Steps of different clients are concurrent. */
  operations: readonly Operation<Input>[]
  /** Sent last; they show late, lost and duplicate effects. */
  finalReads: readonly { step: Step; input: Input }[]
  /** Undefined if the answer does not restrict the order. */
  outputOf(input: Input, result: StepResult, variables: ReadonlyMap<string, JsonValue>): Output | undefined
  specification: SequentialSpecification<State, Input, Output>
  restore?: readonly Step[]
}

export type MakeTrial = (draw: Draw, number: number) => Trial

type SentStep = Trial['finalReads'][number]

interface TrialResult {
  requests: number
  violation?: NonLinearizableHistory
}

/** `row`: a unique value of `${row}`. */
export async function runTrial(trial: Trial, side: Side, environment: Environment, row: string): Promise<TrialResult> {
  const variables = new Map<string, JsonValue>(environment.variables).set('row', row)
  const history: Call<unknown, unknown>[] = []
  const calls: RecordedCall[] = []
  let isUncertain = false
  for (const [index, step] of trial.setup.entries()) {
    const result = await sendStep(step, variables, side)
    // Without its setup, the initial state of the trial is unknown.
    if (outcomeOf(result) !== 'accepted') return { requests: index + 1 }
    captureFrom(result, step, variables)
  }
  const send = async (client: number, { step, input }: SentStep, scope: Map<string, JsonValue>, on: Side) => {
    const sent = performance.now()
    const result = await sendStep(step, scope, on)
    const answered = performance.now()
    const { answer, unsent } = result
    const output = trial.outputOf(input, result, variables)
    isUncertain ||= outcomeOf(result) === 'server-error'
    if (unsent !== undefined || (output === undefined && answer)) return result
    calls.push({ client, about: step.about, said: summarizeAnswer(result), sent, ...(answer && { answered }) })
    history.push({ client, input, output, sent, answered: answer ? answered : Number.POSITIVE_INFINITY })
    return result
  }
  const clients = [...new Set(trial.operations.map(({ client }) => client))]
  const sides = side.clients(clients.length)
  const scope = new Map(variables)
  await Promise.all(
    clients.map(async (client, index) => {
      for (const one of trial.operations.filter((one) => one.client === client))
        await send(client, one, scope, sides[index] ?? side)
    }),
  )
  for (const read of trial.finalReads)
    captureFrom(await send(clients.length, read, variables, side), read.step, variables)
  for (const step of trial.restore ?? []) await sendStep(step, variables, side)
  const requests = trial.setup.length + trial.operations.length + trial.finalReads.length
  const { name, rules, sentence } = trial
  // A request without an answer, or with a server error, may have taken effect.
  if (isUncertain || calls.some(({ answered }) => answered === undefined)) return { requests }
  const { isLinearizable, longest } = linearize(history, trial.specification)
  return { requests, ...(!isLinearizable && { violation: { trial: name, rules, sentence, calls, longest } }) }
}
