import type { Expr } from '../language/expressions.js'
import type { Effects } from './effects.js'
import type { Program } from './program.js'
import type { AnyValue, Environment, Host, Next, Request, Task, Value } from './values.js'

/** What is still to be done with the value that is being computed. */
export interface Frame {
  resume(value: Value, machine: Evaluator): Next
  /** Present where exceptions stop. */
  caught?(exception: AnyValue, machine: Evaluator): Next
}

/** The machine as its parts see it: what each of them may ask it to do next. */
export interface Evaluator extends Host {
  readonly program: Program
  readonly effects: Effects
  push(frame: Frame): void
  evaluate(expr: Expr, environment: Environment | undefined): undefined
  apply(fun: Value, args: readonly Value[]): Next
  run(update: Value): Next
  perform(task: Task): Next
  /** Does what a task asks for. */
  serve(request: Request): Next
  raise(exception: AnyValue): Next
}
