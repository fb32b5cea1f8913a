/** From decoded commands to a submission in flight: interpretation, routing, then what it needs for itself - in that order. */

import { acquire, type InFlightSubmission } from './acquire.js'
import type { DeduplicationPeriod } from './deduplication.js'
import type { Ledger } from './ledger.js'
import { type CommandRequest, interpretAndRoute } from './routed-interpretation.js'
import type { Submission } from './transaction.js'

export interface CommandSubmission extends Submission, Omit<CommandRequest, 'actAs' | 'readAs'> {
  deduplication?: DeduplicationPeriod
  /** Lower bound of the ledger time, in microseconds; the caller has waited for it. */
  minLedgerTime?: bigint
  traceId: string
}

/** Interprets the submission and acquires what it needs, or throws `LedgerError`. */
export function acquireCommands(ledger: Ledger, submission: CommandSubmission): InFlightSubmission {
  const { commands, packageNames, disclosed, prescribed, deduplication, minLedgerTime, traceId, ...identity } =
    submission
  const now = ledger.clock.now()
  const effectiveAt = minLedgerTime !== undefined && minLedgerTime > now ? minLedgerTime : now
  const routed = interpretAndRoute(ledger, submission, { now, effectiveAt, signed: false })
  return acquire(ledger, { identity, ...routed, deduplication, effectiveAt, traceId })
}
