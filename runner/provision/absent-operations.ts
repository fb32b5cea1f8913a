/** Which of the operations under test a target has, found by one request each that no participant can accept as a change. */

import { type OperationName, operationNames, operations } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import { TargetError, TargetRejection } from '../target/target.js'
import type { Caller } from './caller.js'

/** Operations that cannot be called, each with the one cause that blocks all rows which need it. */
export type AbsentOperations = ReadonlyMap<string, string>

/** These lack what every one of the operations requires, so that a participant has nothing to do for them. */
const harmless: Readonly<Record<OperationName, JsonValue>> = {
  'contract-by-id': {},
  'submit-and-wait': {},
  'execute-and-wait-for-transaction': {},
  execute: {},
  'update-package-vetting': { changes: [], dryRun: true },
}

/** Operations under `unreachable` get no request: the settings say that they cannot be called. */
export async function findAbsentOperations(call: Caller, unreachable: ReadonlySet<string>): Promise<AbsentOperations> {
  const causes = await Promise.all(operationNames.map((name) => absenceOf(name, call, unreachable)))
  return new Map(operationNames.flatMap((name, index) => (causes[index] === undefined ? [] : [[name, causes[index]]])))
}

async function absenceOf(
  name: OperationName,
  call: Caller,
  unreachable: ReadonlySet<string>,
): Promise<string | undefined> {
  if (unreachable.has(name)) return `the settings say that ${name} cannot be reached`
  try {
    await call(name, harmless[name])
    return undefined
  } catch (error) {
    // A target that does not answer here is judged by its rows.
    if (!(error instanceof TargetError)) throw error
    if (!(error instanceof TargetRejection) || !isMissing(error)) return undefined
    const { method, path } = operations[name]
    return `${method} ${path} is not implemented (${error.status})`
  }
}

/** An error body of the participant has a code; the answer for a path without an operation has none (seen on 3.5.10). */
const isMissing = ({ status, code }: TargetRejection): boolean =>
  status === 405 || status === 501 || (status === 404 && code === undefined)
