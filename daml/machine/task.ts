import type { Expr } from '../language/expressions.js'
import type { Environment, Request, Task, Value } from './values.js'

export const evaluate = (expr: Expr, environment: Environment | undefined): Request => ({
  kind: 'evaluate',
  expr,
  environment,
})

export const apply = (fun: Value, args: readonly Value[]): Request => ({ kind: 'apply', fun, args })

export const run = (update: Value): Request => ({ kind: 'run', update })

export const perform = (task: Task): Request => ({ kind: 'perform', task })
