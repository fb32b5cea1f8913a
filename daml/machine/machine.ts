/**
 * Evaluates Daml-LF: control, environment and continuation, so that neither the depth of a program nor that of its data is
 * that of this program's stack.
 */
import { getHeapStatistics } from 'node:v8'
import type { Expr } from '../language/expressions.js'
import type { Effects } from './effects.js'
import { evaluateExpr } from './evaluate.js'
import type { Evaluator, Frame } from './evaluator.js'
import { EvaluationFailure, illTyped } from './failures.js'
import { ApplyFrame, TaskFrame } from './frames.js'
import type { Program } from './program.js'
import { describeException, describeUnhandled } from './unhandled.js'
import { startUpdate } from './updates.js'
import {
  type AnyValue,
  type ClosureValue,
  Environment,
  HostFunctionValue,
  type Next,
  PartialValue,
  type Request,
  type Task,
  unit,
  type Value,
} from './values.js'

interface Bounds {
  steps: number
  /** Bytes by which the heap may grow while the machine runs. */
  memory: number
}

/** Some seconds, and at most half of the memory that this process may have. */
const defaultBounds: Bounds = {
  steps: 30_000_000,
  memory: Math.min(1024 * 1024 * 1024, getHeapStatistics().heap_size_limit / 2),
}

const stepsBetweenLooks = 65_536

export class Machine implements Evaluator {
  readonly program: Program
  readonly #effects: Effects | undefined
  readonly #bounds: Bounds
  #stack: Frame[] = []
  /** Where the first look found it: most programs end before. */
  #heapAtStart: number | undefined
  #steps = 0
  #nextLook = stepsBetweenLooks
  /** What is evaluated next; undefined: `#value` goes to the frame on top of the stack. */
  #control: Expr | undefined
  #environment: Environment | undefined
  #value: Next

  /** Without effects it can evaluate, but not run updates. */
  constructor(program: Program, effects?: Effects, bounds: Bounds = defaultBounds) {
    this.program = program
    this.#effects = effects
    this.#bounds = bounds
  }

  get effects(): Effects {
    return this.#effects ?? illTyped('an update is run where there is no ledger')
  }

  /** What was asked for. Throws `EvaluationFailure`, and whatever a task throws. */
  complete(request: Request): Value {
    this.begin(request)
    return this.advance(Number.POSITIVE_INFINITY) ?? illTyped('nothing is left to evaluate')
  }

  begin(request: Request): void {
    this.#value = this.serve(request)
  }

  /** Goes on for so many steps; what was asked for, once it is there. Throws as `complete`. */
  advance(steps: number): Next {
    const until = this.#steps + steps
    while (this.#steps < until) {
      this.spend(1)
      const control = this.#control
      if (control !== undefined) {
        this.#control = undefined
        this.#value = evaluateExpr(control, this.#environment, this)
      } else {
        const value = this.#value ?? illTyped('nothing is left to evaluate')
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
    if (typeof fun !== 'object') return illTyped('what is no function is applied')
    switch (fun.kind) {
      case 'closure':
        return this.#applyTo(fun, fun.params.length, args)
      case 'host':
        return this.#applyTo(fun, fun.arity, args)
      case 'partial':
        return this.apply(fun.fun, [...fun.args, ...args])
      default:
        return illTyped(`a ${fun.kind} is applied`)
    }
  }

  #applyTo(fun: ClosureValue | HostFunctionValue, arity: number, args: readonly Value[]): Next {
    if (args.length < arity) return new PartialValue(fun, args)
    if (args.length > arity) this.push(new ApplyFrame(args.slice(arity)))
    if (fun instanceof HostFunctionValue) return fun.run(args.length > arity ? args.slice(0, arity) : args, this)
    let environment = fun.environment
    for (let index = 0; index < arity; index += 1) {
      const [name, value] = [fun.params[index], args[index]]
      if (name !== undefined && value !== undefined) environment = new Environment(name, value, environment)
    }
    return this.evaluate(fun.body, environment)
  }

  /** Runs an update. */
  run(update: Value): Next {
    if (typeof update === 'object') {
      if (update.kind === 'update') return startUpdate(update.update, update.environment, this)
      if (update.kind === 'task') return this.perform(update.start())
    }
    return illTyped('what is no update is run')
  }

  perform(task: Task): Next {
    this.push(new TaskFrame(task))
    return unit
  }

  /** Does what a task asks for. */
  serve(request: Request): Next {
    switch (request.kind) {
      case 'evaluate':
        return this.evaluate(request.expr, request.environment)
      case 'apply':
        return this.apply(request.fun, request.args)
      case 'run':
        return this.run(request.update)
      case 'perform':
        return this.perform(request.task)
    }
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
    if (this.#steps < this.#nextLook) return
    this.#nextLook = this.#steps + stepsBetweenLooks
    if (this.#steps > this.#bounds.steps) throw new EvaluationFailure({ kind: 'limit', of: 'steps' })
    const used = getHeapStatistics().used_heap_size
    this.#heapAtStart ??= used
    if (used - this.#heapAtStart > this.#bounds.memory) throw new EvaluationFailure({ kind: 'limit', of: 'memory' })
  }
}
