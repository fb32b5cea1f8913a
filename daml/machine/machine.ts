/** A CEK machine: deep programs and data do not use the stack. */
import { getHeapStatistics } from 'node:v8'
import type { Expr } from '../language/expressions.js'
import { evaluateExpr } from './evaluate.js'
import type { Effects, Evaluator, Frame } from './evaluator.js'
import { EvaluationFailure, illTyped } from './failures.js'
import { applying, continuing } from './frames.js'
import type { Program } from './program.js'
import { describeException, describeUnhandled } from './unhandled.js'
import { startUpdate } from './updates.js'
import {
  type AnyValue,
  type ClosureValue,
  Environment,
  type HostFunctionValue,
  type Next,
  type Request,
  type Task,
  unit,
  type Value,
} from './values.js'

interface Bounds {
  steps: number
  /** Bytes by which the heap may grow. */
  memory: number
}

/** Some seconds, and at most half of this process's memory. */
const defaultBounds: Bounds = {
  steps: 30_000_000,
  memory: Math.min(1024 * 1024 * 1024, getHeapStatistics().heap_size_limit / 2),
}

const stepsBetweenChecks = 65_536

export class Machine implements Evaluator {
  readonly program: Program
  readonly #effects: Effects | undefined
  readonly #bounds: Bounds
  #stack: Frame[] = []
  /** Read at the first check; most programs end before. */
  #heapAtStart: number | undefined
  #steps = 0
  #nextCheck = stepsBetweenChecks
  /** Undefined: `#value` goes to the top frame. */
  #control: Expr | undefined
  #environment: Environment | undefined
  #value: Next

  /** Without effects it runs no updates. */
  constructor(program: Program, effects?: Effects, bounds: Bounds = defaultBounds) {
    this.program = program
    this.#effects = effects
    this.#bounds = bounds
  }

  get effects(): Effects {
    return this.#effects ?? illTyped('an update cannot run without a ledger')
  }

  /** Throws `EvaluationFailure`, and errors of tasks. */
  complete(request: Request): Value {
    this.begin(request)
    return this.advance(Number.POSITIVE_INFINITY) ?? illTyped('the machine has no expression to evaluate')
  }

  begin(request: Request): void {
    this.#value = request(this)
  }

  /** Undefined if the result needs more steps. Throws as `complete`. */
  advance(steps: number): Next {
    const until = this.#steps + steps
    while (this.#steps < until) {
      this.spend(1)
      const control = this.#control
      if (control !== undefined) {
        this.#control = undefined
        this.#value = evaluateExpr(control, this.#environment, this)
      } else {
        const value = this.#value ?? illTyped('the machine has no expression to evaluate')
        const frame = this.#stack.pop()
        if (!frame) return value
        this.#value = frame.resume(value, this)
      }
    }
    return undefined
  }

  push(frame: Frame): void {
    this.#stack.push(frame)
  }

  evaluate(expr: Expr, environment: Environment | undefined): undefined {
    this.#control = expr
    this.#environment = environment
  }

  apply(fun: Value, args: readonly Value[]): Next {
    if (typeof fun !== 'object') return illTyped('the applied value is not a function')
    switch (fun.kind) {
      case 'closure':
        return this.#applyTo(fun, fun.params.length, args)
      case 'host':
        return this.#applyTo(fun, fun.arity, args)
      case 'partial':
        return this.apply(fun.fun, [...fun.args, ...args])
      default:
        return illTyped(`the applied ${fun.kind} is not a function`)
    }
  }

  #applyTo(fun: ClosureValue | HostFunctionValue, arity: number, args: readonly Value[]): Next {
    if (args.length < arity) return { kind: 'partial', fun, args }
    if (args.length > arity) this.push(applying(args.slice(arity)))
    if (fun.kind === 'host') return fun.run(args.length > arity ? args.slice(0, arity) : args, this)
    let environment = fun.environment
    for (let index = 0; index < arity; index += 1) {
      const [name, value] = [fun.params[index], args[index]]
      if (name !== undefined && value !== undefined) environment = new Environment(name, value, environment)
    }
    return this.evaluate(fun.body, environment)
  }

  run(update: Value): Next {
    if (typeof update === 'object') {
      if (update.kind === 'update') return startUpdate(update.update, update.environment, this)
      if (update.kind === 'task') return this.perform(update.start())
    }
    return illTyped('the value is not an update')
  }

  perform(task: Task): Next {
    this.push(continuing(task))
    return unit
  }

  raise(exception: AnyValue): Next {
    this.#control = undefined
    for (;;) {
      const frame = this.#stack.pop()
      if (!frame) return describeUnhandled(exception, this)
      if (frame.caught) return frame.caught(exception, this)
    }
  }

  describe(exception: AnyValue): Next {
    return describeException(exception, this)
  }

  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps < this.#nextCheck) return
    this.#nextCheck = this.#steps + stepsBetweenChecks
    if (this.#steps > this.#bounds.steps) throw new EvaluationFailure({ kind: 'limit', of: 'steps' })
    const used = getHeapStatistics().used_heap_size
    this.#heapAtStart ??= used
    if (used - this.#heapAtStart > this.#bounds.memory) throw new EvaluationFailure({ kind: 'limit', of: 'memory' })
  }
}
