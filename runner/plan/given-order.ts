/** In which order rows use what was given: a transaction is executed once, and is good for any number of refusals before that. */
import type { Profile } from '../suite/suite.js'
import type { PlannedRow } from './select.js'

/** By these a request is refused before it comes to the ledger; any other answer may mean that the transaction was seen there. */
export const refusedBeforeTheLedger: ReadonlySet<string> = new Set(['400', '401', '403', '405', '406', '413', '415'])

/** The lower, the earlier: rows that use nothing given, refusals, what is refused on the ledger or may be, what is executed. */
export function useOf({ given, row }: PlannedRow, { conditions }: Profile): number {
  const outcome = row.steps.at(-1)?.verdict.outcome
  if (given === undefined) return 0
  if (row.impact === 'write' || !outcome || 'accepted' in outcome) return 3
  const known = conditions.get(outcome.refused)
  const statuses = known?.alternatives.flatMap(({ accepted, status }) => (accepted ? ['2xx'] : (status ?? ['4xx'])))
  const isEarly = (status: string): boolean => status === '4xx' || refusedBeforeTheLedger.has(status)
  return known?.accepted || !(statuses ?? []).every(isEarly) ? 2 : 1
}
