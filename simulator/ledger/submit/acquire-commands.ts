import type { Slices } from '../../base/slices.js'
import { type CommandRequest, interpretAndRoute } from '../route/routed-interpretation.js'
import type { DeduplicationPeriod } from '../state/deduplication.js'
import type { Ledger } from '../state/ledger.js'
import type { Submission } from '../transactions/transaction.js'
import { acquire, type InFlightSubmission } from './acquire.js'

export interface CommandSubmission extends Submission, Omit<CommandRequest, 'actAs' | 'readAs'> {
  deduplication?: DeduplicationPeriod
  /** In microseconds; the caller has waited for this time. */
  minLedgerTime?: bigint
  traceId: string
}

/** Interprets, routes and acquires, in this order. Throws `LedgerError`. */
export function* acquireCommands(ledger: Ledger, submission: CommandSubmission): Slices<InFlightSubmission> {
  const { deduplication, minLedgerTime, traceId, userId, commandId, submissionId, workflowId, actAs, readAs } =
    submission
  const identity: Submission = { userId, commandId, submissionId, workflowId, actAs, readAs }
  const now = ledger.clock.now()
  const effectiveAt = minLedgerTime !== undefined && minLedgerTime > now ? minLedgerTime : now
  const routed = yield* interpretAndRoute(ledger, submission, { now, effectiveAt, signed: false })
  return acquire(ledger, { identity, ...routed, deduplication, effectiveAt, traceId })
}
