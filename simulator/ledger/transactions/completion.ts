import type { LedgerError, RedactedError } from '../../base/errors.js'
import type { Submission, Transaction } from './transaction.js'

/** What became of a submission that was acquired: a transaction, or a refusal. */
export type Completion = Transaction | Refusal

interface Refusal {
  offset: number
  submission: Submission
  traceId: string
  /** Microseconds since 1970. */
  recordTime: bigint
  /** Offset after which an equal change would have been a duplicate. */
  deduplicatedAfter: number
  synchronizerId: string
  /** As the waiting operations answer it. */
  error: LedgerError['details'] | { redacted: RedactedError['grpc'] }
}
