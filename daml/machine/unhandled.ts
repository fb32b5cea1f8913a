import type { Evaluator, Frame } from './evaluator.js'
import { EvaluationFailure, illTyped } from './failures.js'
import { applying } from './frames.js'
import type { AnyValue, Next } from './values.js'

/** A run can throw it without its package. */
export const arithmeticErrorId = {
  packageId: 'ee33fb70918e7aaa3d3fc44d64a399fb2bf5bcefc54201b1690ecd448551ba88',
  module: 'DA.Exception.ArithmeticError',
  entity: 'ArithmeticError',
}

export function describeUnhandled(exception: AnyValue, machine: Evaluator): Next {
  machine.push(description(nameOf(exception)))
  return describeException(exception, machine)
}

/** Evaluates the message of an exception. */
export function describeException({ type, value }: AnyValue, machine: Evaluator): Next {
  if (type.kind !== 'con' || typeof value !== 'object' || value.kind !== 'record') {
    return illTyped('the thrown value is not an exception')
  }
  if (type.id.packageId === arithmeticErrorId.packageId) return value.fields[0]
  machine.push(applying([value]))
  return machine.evaluate(machine.program.exception(type.id).message, undefined)
}

function nameOf({ type }: AnyValue): string {
  return type.kind === 'con'
    ? `${type.id.module}:${type.id.entity}`
    : illTyped('the type of the thrown value has no name')
}

function description(name: string): Frame {
  const end = (message: string): never => {
    const errorId = `UNHANDLED_EXCEPTION/${name}`
    throw new EvaluationFailure({ kind: 'status', errorId, category: 9, message, metadata: {} })
  }
  return {
    resume: (text) => end(typeof text === 'string' ? text : illTyped('the message of an exception is not a Text')),
    caught: (other) => end(`<Failed to calculate message as ${nameOf(other)} was thrown during conversion>`),
  }
}
