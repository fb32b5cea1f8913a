import type { LedgerError, RedactedError } from '../../base/errors.js'
import type { Submission, Transaction } from './transaction.js'

export type Completion = Transaction | Refusal

interface Refusal {
  offset: number
  submission: Submission
  traceId: string
  /** Microseconds since 1970. */
  recordTime: bigint
  /** An equal change after this offset would have been a duplicate. */
  deduplicatedAfter: number
  synchronizerId: string
  /** Hex of the hash that the parties signed. */
  externalHash?: string
  /** The waiting operations return the same error. */
  error: LedgerError['details'] | { redacted: RedactedError['grpc'] }
}
