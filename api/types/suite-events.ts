import type { SuiteRow } from './suite-result.js'

/** Known before the first request of a row is sent. */
export interface SuitePlan {
  /** Rows that run, and rows that do not apply to this target. */
  rows: number
  notApplicable: number
  /** What will be sent, and committed on the ledger, at most. */
  requests: number
  transactions: number
  /** Repeats the order of the rows. */
  seed: string
}

export interface SuiteProgress {
  done: number
  total: number
}

/** What happens on the way. A listener that throws, or whose promise is rejected, ends the run with
 * `LISTENER_FAILED`. The run does not wait for promises before it has ended. */
export interface SuiteEvents {
  planned?(plan: SuitePlan): void
  /** A row has its verdict; why stands in the result, from where secrets are gone. */
  row?(row: SuiteRow, progress: SuiteProgress): void
}
