import type { Expr } from '../language/expressions.js'
import type { Effects } from './effects.js'
import type { Program } from './program.js'
import type { AnyValue, Environment, Host, Next, Request, Value } from './values.js'

/** A continuation: receives the value. */
export interface Frame {
  resume(value: Value, machine: Evaluator): Next
  /** Present if the frame catches exceptions. */
  caught?(exception: AnyValue, machine: Evaluator): Next
}

export interface Evaluator extends Host {
  readonly program: Program
  readonly effects: Effects
  push(frame: Frame): void
  evaluate(expr: Expr, environment: Environment | undefined): undefined
  run(update: Value): Next
  serve(request: Request): Next
}
