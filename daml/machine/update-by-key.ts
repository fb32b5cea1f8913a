import type { Update } from '../language/expressions.js'
import type { Evaluator } from './evaluator.js'
import { illTyped } from './failures.js'
import { hostFunction, type Value } from './values.js'

export function updateByKey(update: Extract<Update, { kind: 'fetchByKey' | 'queryByKey' }>, machine: Evaluator): Value {
  if (update.kind === 'fetchByKey') {
    return hostFunction(1, ([key]) => ({
      kind: 'task',
      start: () => machine.effects.fetchByKey(update.template, key ?? illTyped('an update by key lacks its key')),
    }))
  }
  return hostFunction(2, ([count, key]) => ({
    kind: 'task',
    start: () =>
      typeof count === 'bigint'
        ? machine.effects.queryByKey(update.template, count, key ?? illTyped('an update by key lacks its key'))
        : illTyped('a query by key has no number of contracts'),
  }))
}
