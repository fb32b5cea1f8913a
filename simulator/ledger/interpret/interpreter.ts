/** Pure except for its seeds: nothing is committed. */
import { EvaluationFailure } from '../../../daml/machine/failures.js'
import { perform } from '../../../daml/machine/frames.js'
import { Machine } from '../../../daml/machine/machine.js'
import { type Task, unit, type Value } from '../../../daml/machine/values.js'
import type { Slices } from '../../base/slices.js'
import type { Seeding } from '../state/entropy.js'
import type { Actors, LedgerView } from '../state/ledger-view.js'
import type { Interpretation } from '../transactions/transaction.js'
import { TransactionBuilder } from '../transactions/transaction-builder.js'
import type { ChoiceTarget, LedgerCommand } from './command.js'
import { ValueExchange } from './contract-reader.js'
import { refusalOf } from './evaluation-refusals.js'
import { LedgerEffects } from './ledger-effects.js'

/** A few milliseconds of work. */
const stepsPerSlice = 25_000

/**
 * Interprets the commands as one transaction. Throws `LedgerError` with origin `interpretation`.
 * @example const { nodes } = yield* interpret(commands, actors, view, now, seeding)
 */
export function* interpret(
  commands: readonly LedgerCommand[],
  actors: Actors,
  view: LedgerView,
  now: bigint,
  seeding: Seeding,
): Slices<Interpretation> {
  const builder = new TransactionBuilder(actors.actAs, (position) => seeding.root(position))
  const values = new ValueExchange(view.packages, (steps) => machine.spend(steps))
  const effects = new LedgerEffects(builder, values, { actors, view, now, seeding })
  const machine: Machine = new Machine(view.packages.program, effects)
  const progress: Progress = { command: undefined }
  try {
    machine.begin(perform(runAll(commands, effects, values, progress)))
    while (machine.advance(stepsPerSlice) === undefined) yield
  } catch (error) {
    throw error instanceof EvaluationFailure
      ? refusalOf(error.failure, { exercises: builder.exercises, ...progress })
      : error
  }
  return { ...(yield* builder.result()), ledgerTime: effects.ledgerTime }
}

interface Progress {
  command: LedgerCommand | undefined
}

function* runAll(
  commands: readonly LedgerCommand[],
  effects: LedgerEffects,
  values: ValueExchange,
  progress: Progress,
): Task {
  for (const command of commands) {
    progress.command = command
    yield perform(runOne(command, effects, values))
  }
  return unit
}

function runOne(command: LedgerCommand, effects: LedgerEffects, values: ValueExchange): Task {
  switch (command.kind) {
    case 'create': {
      const { template, argument } = command
      return effects.create(template.id, values.translate(argument, template.argument))
    }
    case 'createAndExercise':
      return createAndExercise(command, effects, values)
    case 'exercise': {
      const { contractId, target, argument } = command
      return exercise(contractId, target, values.translate(argument, target.choice.argument), effects)
    }
    case 'exerciseByKey': {
      const { template, key, target, argument } = command
      const { choice } = target
      const keyValue = template.key ? values.translate(key, template.key) : unit
      return effects.exerciseByKey(template.id, keyValue, choice.name, values.translate(argument, choice.argument))
    }
  }
}

function* createAndExercise(
  { template, createArgument, target, argument }: Extract<LedgerCommand, { kind: 'createAndExercise' }>,
  effects: LedgerEffects,
  values: ValueExchange,
): Task {
  const created = yield perform(effects.create(template.id, values.translate(createArgument, template.argument)))
  const given = values.translate(argument, target.choice.argument)
  return yield perform(exercise(String(created), target, given, effects))
}

const exercise = (contractId: string, target: ChoiceTarget, argument: Value, effects: LedgerEffects): Task =>
  target.template
    ? effects.exercise(target.template.id, contractId, target.choice.name, argument)
    : effects.exerciseInterface(target.interface.id, contractId, target.choice.name, argument)
