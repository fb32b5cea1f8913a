import type { LedgerError, RedactedError } from '../base/errors.js'
import type { Submission } from './transaction.js'

/** What became of a submission that was acquired. */
export interface Completion {
  offset: number
  submission: Submission
  traceId: string
  /** Microseconds since 1970. */
  recordTime: bigint
  /** Offset after which an equal change would have been a duplicate. */
  deduplicatedAfter: number
  synchronizerId: string
  outcome: Accepted | Refused
}

interface Accepted {
  kind: 'accepted'
  updateId: string
}

interface Refused {
  kind: 'refused'
  /** As the waiting operations answer it. */
  error: LedgerError['details'] | { redacted: RedactedError['grpc'] }
}
