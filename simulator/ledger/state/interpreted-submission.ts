import type { LedgerError, RedactedError } from '../../base/errors.js'
import type { Interpretation, Submission } from '../transactions/transaction.js'
import type { DeduplicationPeriod } from './deduplication.js'
import type { Route } from './ledger-state.js'

export type Verdict = LedgerError | RedactedError

export interface InterpretedSubmission {
  identity: Submission
  interpretation: Interpretation
  route: Route
  deduplication: DeduplicationPeriod | undefined
  /** Microseconds since 1970. */
  effectiveAt: bigint
  traceId: string
  /** Hex of the hash that the parties signed. */
  externalHash?: string
  /** Checks beyond those of each submission. */
  verdict?: () => Verdict | undefined
  /** Rules that are not enforced, of those that an execution alone has. */
  without?: ReadonlySet<string>
}
