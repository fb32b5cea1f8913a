import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Alternative, Expr, Pattern } from '../language/expressions.js'
import type { Evaluator, Frame, TryMark } from './evaluator.js'
import { illTyped } from './failures.js'
import { type AnyValue, Environment, type Next, none, type Request, type Task, type Value } from './values.js'

export class CollectFrame implements Frame {
  readonly #exprs: readonly Expr[]
  readonly #environment: Environment | undefined
  readonly #values: Value[]
  readonly #done: (values: Value[], machine: Evaluator) => Next

  constructor(
    exprs: readonly Expr[],
    environment: Environment | undefined,
    values: Value[],
    done: (values: Value[], machine: Evaluator) => Next,
  ) {
    this.#exprs = exprs
    this.#environment = environment
    this.#values = values
    this.#done = done
  }

  resume(value: Value, machine: Evaluator): Next {
    // A frame resumes once, so no other continuation shares this list.
    this.#values.push(value)
    const next = this.#exprs[this.#values.length]
    if (!next) return this.#done(this.#values, machine)
    machine.push(this)
    return machine.evaluate(next, this.#environment)
  }
}

export class LetFrame implements Frame {
  readonly #name: string
  readonly #body: Expr
  readonly #environment: Environment | undefined

  constructor(name: string, body: Expr, environment: Environment | undefined) {
    this.#name = name
    this.#body = body
    this.#environment = environment
  }

  resume(value: Value, machine: Evaluator): Next {
    return machine.evaluate(this.#body, new Environment(this.#name, value, this.#environment))
  }
}

/** Applies a function that needs no evaluation. */
export class ThenFrame implements Frame {
  readonly #then: (value: Value, machine: Evaluator) => Next

  constructor(then: (value: Value, machine: Evaluator) => Next) {
    this.#then = then
  }

  resume(value: Value, machine: Evaluator): Next {
    return this.#then(value, machine)
  }
}

// Separate, so that a caller that pushes no frame allocates no scope for a closure.

export const applying = (args: readonly Value[]): Frame => new ThenFrame((fun, machine) => machine.apply(fun, args))

/** Keeps the value of a definition. */
export const remembering = (id: DamlIdentifier): Frame =>
  new ThenFrame((value, machine) => {
    machine.program.remember(id, value)
    return value
  })

export class CaseFrame implements Frame {
  readonly #alternatives: readonly Alternative[]
  readonly #environment: Environment | undefined

  constructor(alternatives: readonly Alternative[], environment: Environment | undefined) {
    this.#alternatives = alternatives
    this.#environment = environment
  }

  resume(value: Value, machine: Evaluator): Next {
    for (const { pattern, body } of this.#alternatives) {
      const bound = match(pattern, value, this.#environment)
      if (bound !== mismatch) return machine.evaluate(body, bound)
    }
    return illTyped('no alternative of a case matches')
  }
}

const mismatch = Symbol('mismatch')

function match(
  pattern: Pattern,
  value: Value,
  environment: Environment | undefined,
): Environment | undefined | typeof mismatch {
  if (pattern.kind === 'default') return environment
  if (pattern.kind === 'bool') return value === pattern.value ? environment : mismatch
  if (typeof value !== 'object' || value.kind !== pattern.kind) return mismatch
  if (pattern.kind === 'variant' && value.kind === 'variant') {
    if (value.constructorName !== pattern.constructor) return mismatch
    return new Environment(pattern.binder, value.value, environment)
  }
  if (pattern.kind === 'enum' && value.kind === 'enum') {
    return value.constructorName === pattern.constructor ? environment : mismatch
  }
  if (pattern.kind === 'some' && value.kind === 'some') return new Environment(pattern.binder, value.value, environment)
  if (pattern.kind === 'cons' && value.kind === 'cons') {
    return new Environment(pattern.tail, value.tail, new Environment(pattern.head, value.head, environment))
  }
  return environment
}

export const runFrame: Frame = { resume: (update, machine) => machine.run(update) }

export class TaskFrame implements Frame {
  readonly #task: Task

  constructor(task: Task) {
    this.#task = task
  }

  resume(value: Value, machine: Evaluator): Next {
    const { done, value: next } = this.#task.next(value)
    if (done) return next
    machine.push(this)
    return next(machine)
  }
}

/** Rolls back on an exception. */
export class TryFrame implements Frame {
  readonly #mark: TryMark
  readonly #binder: string
  readonly #handler: Expr
  readonly #environment: Environment | undefined

  constructor(mark: TryMark, binder: string, handler: Expr, environment: Environment | undefined) {
    this.#mark = mark
    this.#binder = binder
    this.#handler = handler
    this.#environment = environment
  }

  resume(value: Value, machine: Evaluator): Next {
    machine.effects.endTry(this.#mark)
    return value
  }

  caught(exception: AnyValue, machine: Evaluator): Next {
    machine.effects.rollBack(this.#mark)
    machine.push(new ThenFrame((handled) => handle(handled, exception, machine)))
    return machine.evaluate(this.#handler, new Environment(this.#binder, exception, this.#environment))
  }
}

/** None throws the exception again. */
function handle(handled: Value, exception: AnyValue, machine: Evaluator): Next {
  if (handled === none) return machine.raise(exception)
  if (typeof handled === 'object' && handled.kind === 'some') return machine.run(handled.value)
  return illTyped('an exception handler does not return an Optional')
}

export const evaluate =
  (expr: Expr, environment: Environment | undefined): Request =>
  (host) =>
    host.evaluate(expr, environment)

export const apply =
  (fun: Value, args: readonly Value[]): Request =>
  (host) =>
    host.apply(fun, args)

export const run =
  (update: Value): Request =>
  (host) =>
    host.run(update)

export const perform =
  (task: Task): Request =>
  (host) =>
    host.perform(task)
