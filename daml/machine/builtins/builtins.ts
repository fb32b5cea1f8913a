import { isInstant } from '../../../lib/json/instant.js'
import type { BuiltinName } from '../../language/builtins.js'
import { areEqual, compareValues } from '../compare.js'
import { EvaluationFailure, illTyped } from '../failures.js'
import { apply } from '../frames.js'
import { type HostFunctionValue, hostFunction, itemsOf, type Task, type Value } from '../values.js'
import { type Args, at, integer, list, map, text } from './arguments.js'
import { arithmetic, partial } from './arithmetic.js'
import { crypto } from './crypto.js'
import { maps } from './maps.js'
import { texts } from './texts.js'

/** The years 1 to 9999, in days since 1970-01-01. */
const [firstDay, lastDay] = [-719_162n, 2_932_896n]

function days(args: Args): number {
  const value: Value | undefined = args[0]
  return typeof value === 'number' ? value : illTyped('an argument of a builtin is not a Date')
}

const times = {
  DATE_TO_TEXT: hostFunction(1, (args) => new Date(days(args) * 86_400_000).toISOString().slice(0, 10)),
  DATE_TO_UNIX_DAYS: hostFunction(1, (args) => BigInt(days(args))),
  UNIX_DAYS_TO_DATE: partial('UNIX_DAYS_TO_DATE', 1, (args) => {
    const found = integer(args, 0)
    return found >= firstDay && found <= lastDay ? Number(found) : undefined
  }),
  TIMESTAMP_TO_UNIX_MICROSECONDS: hostFunction(1, (args) => integer(args, 0)),
  UNIX_MICROSECONDS_TO_TIMESTAMP: partial('UNIX_MICROSECONDS_TO_TIMESTAMP', 1, (args) => {
    const micros = integer(args, 0)
    return isInstant(micros) ? micros : undefined
  }),
}

const comparison = (holds: (difference: number) => boolean): HostFunctionValue =>
  hostFunction(2, (args, host) => holds(compareValues(at(args, 0), at(args, 1), (steps) => host.spend(steps))))

function* foldLeft(fun: Value, initial: Value, items: Iterable<Value>): Task {
  let result = initial
  for (const item of items) result = yield apply(fun, [result, item])
  return result
}

function* foldRight(fun: Value, initial: Value, items: readonly Value[]): Task {
  let result = initial
  for (const item of items.toReversed()) result = yield apply(fun, [item, result])
  return result
}

function* equalLists(equal: Value, left: Iterator<Value>, right: Iterator<Value>): Task {
  for (;;) {
    const [a, b] = [left.next(), right.next()]
    if (a.done || b.done) return a.done === b.done
    if ((yield apply(equal, [a.value, b.value])) !== true) return false
  }
}

const general = {
  // Log output of programs has no effect.
  TRACE: hostFunction(2, (args) => at(args, 1)),
  ERROR: hostFunction(1, (args) => {
    throw new EvaluationFailure({ kind: 'userError', message: text(args, 0) })
  }),
  EQUAL: hostFunction(2, (args, host) => areEqual(at(args, 0), at(args, 1), (steps) => host.spend(steps))),
  LESS: comparison((difference) => difference < 0),
  LESS_EQ: comparison((difference) => difference <= 0),
  GREATER: comparison((difference) => difference > 0),
  GREATER_EQ: comparison((difference) => difference >= 0),
  COERCE_CONTRACT_ID: hostFunction(1, (args) => at(args, 0)),
  FOLDL: hostFunction(3, (args, host) => host.perform(foldLeft(at(args, 0), at(args, 1), itemsOf(list(args, 2))))),
  FOLDR: hostFunction(3, (args, host) =>
    host.perform(foldRight(at(args, 0), at(args, 1), [...itemsOf(list(args, 2))])),
  ),
  EQUAL_LIST: hostFunction(3, (args, host) =>
    host.perform(equalLists(at(args, 0), itemsOf(list(args, 1)), itemsOf(list(args, 2)))),
  ),
  ANY_EXCEPTION_MESSAGE: hostFunction(1, (args, host) => {
    const exception = at(args, 0)
    return typeof exception === 'object' && exception.kind === 'any'
      ? host.describe(exception)
      : illTyped('the value is not an exception')
  }),
  FAIL_WITH_STATUS: hostFunction(4, (args) => {
    const { keys, values } = map(args, 3)
    const metadata = Object.fromEntries(keys.map((key, index) => [String(key), String(values[index])]))
    const [errorId, message] = [text(args, 0), text(args, 2)]
    throw new EvaluationFailure({ kind: 'status', errorId, category: Number(integer(args, 1)), message, metadata })
  }),
}

export const builtins: Readonly<Record<BuiltinName, Value>> = {
  ...general,
  ...arithmetic,
  ...texts,
  ...times,
  ...maps,
  ...crypto,
}
