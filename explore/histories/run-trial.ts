/** Runs a concurrency trial on one side, and checks that its history is linearizable. */
import type { JsonValue } from '../../lib/json/json.js'
import { outcomeOf, summarizeAnswer } from '../compare/compare-answers.js'
import type { Environment } from '../send/environment.js'
import { captureFrom, sendStep } from '../send/send-step.js'
import type { Side } from '../send/side.js'
import { type Call, linearize } from './linearizability.js'
import type { Trial } from './trial.js'

/** A call for reports, with times in milliseconds. */
export interface RecordedCall {
  client: number
  about: string
  said: string
  sent: number
  /** Absent if no answer was received. */
  answered?: number
}

/** A history that no sequential order explains. */
export interface NonLinearizableHistory {
  /** Name of the trial. */
  trial: string
  rules: readonly string[]
  sentence: string
  calls: RecordedCall[]
  /** The longest possible sequence, as indices of calls. */
  longest: readonly number[]
}

type SentStep = Trial['finalReads'][number]

export interface TrialResult {
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
  // A request without an answer, or with a server error, may have taken effect under an unknown id.
  if (isUncertain || calls.some(({ answered }) => answered === undefined)) return { requests }
  const { isLinearizable, longest } = linearize(history, trial.specification)
  return { requests, ...(!isLinearizable && { violation: { trial: name, rules, sentence, calls, longest } }) }
}
