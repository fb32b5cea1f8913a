import type { Expr } from '../language/expressions.js'
import type { Environment } from './environment.js'
import type { Value } from './values.js'

/** What a task needs the machine for. */
export type Request =
  /** The value of an expression. */
  | { kind: 'evaluate'; expr: Expr; environment: Environment | undefined }
  /** The function applied to these. */
  | { kind: 'apply'; fun: Value; args: readonly Value[] }
  /** What the update answers once it has run. */
  | { kind: 'run'; update: Value }
  /** The result of another task. */
  | { kind: 'perform'; task: Task }

/**
 * Work of this program that needs Daml evaluated on the way: it yields a request and is given the answer. Tasks stand on the
 * stack of the machine, so that they can be nested as deep as programs nest them.
 */
export type Task = Generator<Request, Value, Value>

export function* evaluate(expr: Expr, environment: Environment | undefined): Task {
  return yield { kind: 'evaluate', expr, environment }
}

export function* apply(fun: Value, args: readonly Value[]): Task {
  return yield { kind: 'apply', fun, args }
}

export function* run(update: Value): Task {
  return yield { kind: 'run', update }
}
