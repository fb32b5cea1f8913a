/** In which order rows use presigned transactions: one is executed once, and is good for any number of refusals before that. */
import type { Check } from '../../record/resolved-row.js'
import { refusedBeforeTheLedger } from '../target/early-refusals.js'
import { alternativesOf } from './outcomes.js'
import type { PlannedRow } from './select.js'

/** The lower, the earlier: rows that use nothing presigned, refusals, what is refused on the ledger or may be, what is executed. */
export function useOf({ presigned, row }: PlannedRow): number {
  if (presigned === undefined) return 0
  const alternatives = alternativesOf(row.steps.find(({ role }) => role === 'act'))
  if (row.impact === 'write' || alternatives.every(({ outcome }) => outcome === 'accepted')) return 3
  const isEarly = alternatives.every(({ outcome, checks }) => outcome === 'refused' && checks.every(isEarlyRefusal))
  return isEarly ? 1 : 2
}

const isEarlyRefusal = (check: Check): boolean =>
  check.on !== 'status' || check.oneOf.every((status) => status === '4xx' || refusedBeforeTheLedger.has(status))
