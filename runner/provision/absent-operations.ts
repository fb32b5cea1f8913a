/** Finds operations under test that a target lacks, with one harmless request each. */
import { type OperationName, operationNames, operations } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import { TargetError, TargetRejection } from '../target/target.js'
import type { Caller } from './caller.js'

/** By operation: the cause. */
export type AbsentOperations = ReadonlyMap<string, string>

/** Without required members, no participant can accept a change. */
const harmless: Readonly<Record<OperationName, JsonValue>> = {
  'contract-by-id': {},
  'submit-and-wait': {},
  'execute-and-wait-for-transaction': {},
  execute: {},
  'update-package-vetting': { changes: [], dryRun: true },
}

export async function findAbsentOperations(call: Caller, unreachable: ReadonlySet<string>): Promise<AbsentOperations> {
  const causes = await Promise.all(operationNames.map((name) => absenceOf(name, call, unreachable)))
  return new Map(operationNames.flatMap((name, index) => (causes[index] === undefined ? [] : [[name, causes[index]]])))
}

async function absenceOf(
  name: OperationName,
  call: Caller,
  unreachable: ReadonlySet<string>,
): Promise<string | undefined> {
  if (unreachable.has(name)) return `the settings mark ${name} as unreachable`
  try {
    await call(name, harmless[name])
    return undefined
  } catch (error) {
    // Rows judge a target that does not answer here.
    if (!(error instanceof TargetError)) throw error
    if (!(error instanceof TargetRejection) || !isMissing(error)) return undefined
    const { method, path } = operations[name]
    return `${method} ${path} is not implemented (${error.status})`
  }
}

/** Only error bodies of the participant have a code (seen on 3.5.10). */
const isMissing = ({ status, code }: TargetRejection): boolean =>
  status === 405 || status === 501 || (status === 404 && code === undefined)
