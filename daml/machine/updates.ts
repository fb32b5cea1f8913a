import type { Expr, Update } from '../language/expressions.js'
import { collect } from './evaluate.js'
import type { Evaluator } from './evaluator.js'
import { illTyped } from './failures.js'
import { binding, catching, runFrame } from './frames.js'
import { contractIn } from './interfaces.js'
import type { Environment, Next, Value } from './values.js'

export function startUpdate(update: Update, environment: Environment | undefined, machine: Evaluator): Next {
  switch (update.kind) {
    case 'pure':
      return machine.evaluate(update.value, environment)
    case 'bind':
      machine.push(runFrame)
      machine.push(binding(update.name, update.body, environment))
      machine.push(runFrame)
      return machine.evaluate(update.bound, environment)
    case 'embed':
      machine.push(runFrame)
      return machine.evaluate(update.body, environment)
    case 'tryCatch':
      machine.push(catching(machine.effects.beginTry(), update.binder, update.handler, environment))
      machine.push(runFrame)
      return machine.evaluate(update.body, environment)
    case 'getTime':
      return machine.effects.getTime()
    case 'ledgerTimeLt':
      machine.push({ resume: (time) => machine.effects.isBefore(micros(time)) })
      return machine.evaluate(update.time, environment)
    case 'fetchByKey':
    case 'queryByKey':
      return illTyped('an update by key has no key')
    default:
      return startEffect(update, environment, machine)
  }
}

type Effect = Exclude<
  Update,
  { kind: 'pure' | 'bind' | 'embed' | 'tryCatch' | 'getTime' | 'ledgerTimeLt' | 'fetchByKey' | 'queryByKey' }
>

function startEffect(update: Effect, environment: Environment | undefined, machine: Evaluator): Next {
  const { effects } = machine
  switch (update.kind) {
    case 'create':
      return collect([update.argument], environment, machine, ([argument]) =>
        machine.perform(effects.create(update.template, given(argument))),
      )
    case 'createInterface':
      return collect([update.argument], environment, machine, ([contract]) => {
        const { contract: seen, template } = contractIn(contract)
        return machine.perform(effects.create(template, seen.value))
      })
    case 'exercise':
      return collect([update.contractId, update.argument], environment, machine, ([id, argument]) =>
        machine.perform(effects.exercise(update.template, contractId(id), update.choice, given(argument))),
      )
    case 'exerciseInterface':
      return collect([update.contractId, update.argument], environment, machine, ([id, argument]) =>
        machine.perform(effects.exerciseInterface(update.interface, contractId(id), update.choice, given(argument))),
      )
    case 'exerciseByKey':
      return collect([update.key, update.argument], environment, machine, ([key, argument]) =>
        machine.perform(effects.exerciseByKey(update.template, given(key), update.choice, given(argument))),
      )
    case 'fetch':
      return onContractId(update.contractId, environment, machine, (id) => effects.fetch(update.template, id))
    case 'fetchInterface':
      return onContractId(update.contractId, environment, machine, (id) => effects.fetchInterface(update.interface, id))
  }
}

function onContractId(
  expr: Expr,
  environment: Environment | undefined,
  machine: Evaluator,
  begin: (id: string) => ReturnType<Evaluator['effects']['fetch']>,
): Next {
  return collect([expr], environment, machine, ([id]) => machine.perform(begin(contractId(id))))
}

function given(value: Value | undefined): Value {
  return value ?? illTyped('an effect lacks an argument')
}

function contractId(value: Value | undefined): string {
  return typeof value === 'string' ? value : illTyped('the value is not a contract id')
}

function micros(value: Value): bigint {
  return typeof value === 'bigint' ? value : illTyped('the value is not a Timestamp')
}
