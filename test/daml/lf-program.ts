import { EvaluationFailure, type Failure } from '../../daml/machine/failures.js'
import { apply, evaluate, perform } from '../../daml/machine/frames.js'
import { Machine } from '../../daml/machine/machine.js'
import { Program } from '../../daml/machine/program.js'
import type { Task, Value } from '../../daml/machine/values.js'
import { readPackageText } from '../support/lf-text/package.js'

export function programOf(definitions: string): Program {
  const source = `metadata ( 'test' : '1.0.0' ) module M { ${definitions} }`
  const made = readPackageText(source, 'test', '2.1')
  return new Program((id) => (id === 'test' ? made : undefined))
}

const id = (entity: string) => ({ packageId: 'test', module: 'M', entity })

function* call(name: string, args: readonly Value[]): Task {
  const fun = yield evaluate({ kind: 'val', id: id(name) }, undefined)
  return args.length === 0 ? fun : yield apply(fun, args)
}

/** Throws `EvaluationFailure`. */
export const resultOf = (program: Program, name: string, ...args: Value[]): Value =>
  resultOn(new Machine(program), name, ...args)

/** For a machine with its own bounds. Throws `EvaluationFailure`. */
export const resultOn = (machine: Machine, name: string, ...args: Value[]): Value =>
  machine.complete(perform(call(name, args)))

/** Undefined without a failure. */
export function failureOf(work: () => unknown): Failure | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof EvaluationFailure) return error.failure
    throw error
  }
  return undefined
}

export const resultOfExpr = (expr: string, definitions = ''): Value =>
  resultOf(programOf(`${definitions} val result : Int64 = ${expr};`), 'result')
