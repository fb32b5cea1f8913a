import type { Update } from '../language/expressions.js'
import type { Evaluator } from './evaluator.js'
import { illTyped } from './failures.js'
import { HostFunctionValue, TaskValue, type Value } from './values.js'

export function updateByKey(update: Extract<Update, { kind: 'fetchByKey' | 'queryByKey' }>, machine: Evaluator): Value {
  if (update.kind === 'fetchByKey') {
    return new HostFunctionValue(
      1,
      ([key]) =>
        new TaskValue(() =>
          machine.effects.fetchByKey(update.template, key ?? illTyped('an update by key lacks its key')),
        ),
    )
  }
  return new HostFunctionValue(
    2,
    ([count, key]) =>
      new TaskValue(() =>
        typeof count === 'bigint'
          ? machine.effects.queryByKey(update.template, count, key ?? illTyped('an update by key lacks its key'))
          : illTyped('a query by key has no number of contracts'),
      ),
  )
}
