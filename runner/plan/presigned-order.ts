/** One execution consumes a transaction; rejections before it do not. */
import type { Check, ResolvedRow } from '../../record/types/resolved-row.js'
import { rejectedBeforeLedger } from '../target/target-file.js'
import { alternativesOf } from './cost.js'
import type { PlannedRow } from './select.js'

/** Lower is earlier: no presigned transaction, early rejections, rejections on the ledger, executions. */
export function usageRank({ presigned, row }: PlannedRow): number {
  if (presigned === undefined) return 0
  // The ledger may still reject an accepted request after the response.
  if (row.impact !== 'read') return 3
  const alternatives = alternativesOf(row.steps.find(({ role }) => role === 'act'))
  const isEarly = alternatives.every(({ outcome, checks }) => outcome === 'refused' && checks.every(isEarlyRefusal))
  return isEarly && !mayExecuteRejected(row) ? 1 : 2
}

/** The profile permits both execution and rejection. */
export const mayExecuteRejected = ({ steps }: ResolvedRow): boolean =>
  steps
    .filter(({ role }) => role === 'act')
    .flatMap(({ expectations }) => expectations.flatMap(({ anyOf }) => anyOf.flatMap(({ checks }) => checks)))
    .some((check) => check.on === 'effects' && check.when === 'refused' && check.untold > 0)

const isEarlyRefusal = (check: Check): boolean =>
  check.on !== 'status' || check.oneOf.every((status) => status === '4xx' || rejectedBeforeLedger.has(status))
