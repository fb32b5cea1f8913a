import type { OperationName } from '../../interface/operations.js'
import type { AbsentOperations } from '../provision/absent-operations.js'
import { type Finding, good, warning } from './finding.js'

/** `named`: the operations under test of the selection. */
export function describeOperations(absent: AbsentOperations, named: readonly OperationName[]): Finding[] {
  const operations = named.filter((name) => !absent.has(name))
  const found =
    operations.length === 0
      ? []
      : [good('operations', 'operations', `the target has ${operations.join(', ')}`, { facts: { operations } })]
  const advice = 'All rows that need it are blocked, and the run is incomplete.'
  const missing = named.flatMap((operation) => {
    const cause = absent.get(operation)
    return cause === undefined
      ? []
      : [
          warning('operations', 'operation-absent', `the target lacks ${operation}`, {
            because: cause,
            advice,
            facts: { operation },
          }),
        ]
  })
  return [...found, ...missing]
}
