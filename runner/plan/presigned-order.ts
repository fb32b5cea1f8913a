/** In which order rows use presigned transactions: one is executed once, and is good for any number of refusals before that. */
import type { Check, ResolvedRow } from '../../record/types/resolved-row.js'
import { rejectedBeforeLedger } from '../target/target-file.js'
import { alternativesOf } from './outcomes.js'
import type { PlannedRow } from './select.js'

/** The lower, the earlier: rows that use nothing presigned, refusals, what is refused on the ledger or may be, what is executed. */
export function usageRank({ presigned, row }: PlannedRow): number {
  if (presigned === undefined) return 0
  // By its impact and not by the answer: what is accepted may still be refused on the ledger, where nobody waits for it.
  if (row.impact !== 'read') return 3
  const alternatives = alternativesOf(row.steps.find(({ role }) => role === 'act'))
  const isEarly = alternatives.every(({ outcome, checks }) => outcome === 'refused' && checks.every(isEarlyRefusal))
  return isEarly && !mayExecuteRejected(row) ? 1 : 2
}

/** Whether the profile permits a participant to execute the transaction and to reject the request. */
export const mayExecuteRejected = ({ steps }: ResolvedRow): boolean =>
  steps
    .filter(({ role }) => role === 'act')
    .flatMap(({ expectations }) => expectations.flatMap(({ anyOf }) => anyOf.flatMap(({ checks }) => checks)))
    .some((check) => check.on === 'effects' && check.when === 'refused' && check.untold > 0)

const isEarlyRefusal = (check: Check): boolean =>
  check.on !== 'status' || check.oneOf.every((status) => status === '4xx' || rejectedBeforeLedger.has(status))
