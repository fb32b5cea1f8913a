/** The requests that tasks make. */
import type { Expr } from '../language/expressions.js'
import type { Environment, Task, Value } from './values.js'

export function* evaluate(expr: Expr, environment: Environment | undefined): Task {
  return yield { kind: 'evaluate', expr, environment }
}

export function* apply(fun: Value, args: readonly Value[]): Task {
  return yield { kind: 'apply', fun, args }
}

export function* run(update: Value): Task {
  return yield { kind: 'run', update }
}
