import type { DamlIdentifier } from '../../interface/daml-value.js'
import type { Alternative, Expr, Pattern } from '../language/expressions.js'
import type { Evaluator, Frame, TryMark } from './evaluator.js'
import { illTyped } from './failures.js'
import { type AnyValue, Environment, type Next, none, type Request, type Task, type Value } from './values.js'

// Each frame is made by a function of its own, so that a caller that pushes none allocates no scope for a closure.

/** Evaluates the other expressions in order, then calls `done`. */
export function collecting(
  exprs: readonly Expr[],
  environment: Environment | undefined,
  values: Value[],
  done: (values: Value[], machine: Evaluator) => Next,
): Frame {
  const frame: Frame = {
    resume: (value, machine) => {
      // A frame resumes once, so no other continuation shares this list.
      values.push(value)
      const next = exprs[values.length]
      if (!next) return done(values, machine)
      machine.push(frame)
      return machine.evaluate(next, environment)
    },
  }
  return frame
}

export const binding = (name: string, body: Expr, environment: Environment | undefined): Frame => ({
  resume: (value, machine) => machine.evaluate(body, new Environment(name, value, environment)),
})

export const applying = (args: readonly Value[]): Frame => ({ resume: (fun, machine) => machine.apply(fun, args) })

/** Keeps the value of a definition. */
export const remembering = (id: DamlIdentifier): Frame => ({
  resume: (value, machine) => {
    machine.program.remember(id, value)
    return value
  },
})

export const choosing = (alternatives: readonly Alternative[], environment: Environment | undefined): Frame => ({
  resume: (value, machine) => {
    for (const { pattern, body } of alternatives) {
      const bound = match(pattern, value, environment)
      if (bound !== mismatch) return machine.evaluate(body, bound)
    }
    return illTyped('no alternative of a case matches')
  },
})

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

export function continuing(task: Task): Frame {
  const frame: Frame = {
    resume: (value, machine) => {
      const { done, value: next } = task.next(value)
      if (done) return next
      machine.push(frame)
      return next(machine)
    },
  }
  return frame
}

/** Rolls back on an exception. */
export const catching = (
  mark: TryMark,
  binder: string,
  handler: Expr,
  environment: Environment | undefined,
): Frame => ({
  resume: (value, machine) => {
    machine.effects.endTry(mark)
    return value
  },
  caught: (exception, machine) => {
    machine.effects.rollBack(mark)
    machine.push({ resume: (handled) => handle(handled, exception, machine) })
    return machine.evaluate(handler, new Environment(binder, exception, environment))
  },
})

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
