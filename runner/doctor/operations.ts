/** Lists the operations under test that the target has and lacks. */
import { operationNames } from '../../interface/operations.js'
import type { AbsentOperations } from '../provision/absent-operations.js'
import { type Finding, good, warning } from './finding.js'

export function describeOperations(absent: AbsentOperations): Finding[] {
  const operations = operationNames.filter((name) => !absent.has(name))
  const found =
    operations.length === 0
      ? []
      : [good('operations', 'operations', `the target has ${operations.join(', ')}`, { facts: { operations } })]
  const advice = 'All rows that need it are blocked, and the run is incomplete.'
  const missing = [...absent].map(([operation, cause]) =>
    warning('operations', 'operation-absent', cause, { advice, facts: { operation } }),
  )
  return [...found, ...missing]
}
