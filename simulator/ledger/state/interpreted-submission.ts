/** What is known of a submission once its commands have been interpreted and routed. */
import type { Enforcement } from '../../base/checks.js'
import type { LedgerError, RedactedError } from '../../base/errors.js'
import type { Interpretation, Submission } from '../transactions/transaction.js'
import type { DeduplicationPeriod } from './deduplication.js'
import type { Route } from './synchronizer.js'

/** Why a submission that was acquired comes to nothing. */
export type Verdict = LedgerError | RedactedError

export interface InterpretedSubmission {
  identity: Submission
  interpretation: Interpretation
  route: Route
  deduplication: DeduplicationPeriod | undefined
  /** Microseconds since 1970. */
  effectiveAt: bigint
  traceId: string
  /** Hex of the hash that its parties have signed, if they did. */
  externalHash?: string
  /** What else may speak against it, beside what holds for every submission. */
  verdict?: () => Verdict | undefined
  /** Decides whether a change that was made before is found out at all; absent: it is. */
  enforcement?: Enforcement
}
