/** From decoded commands to a committed transaction: interpretation, routing, then its flight - in that order. */
import type { DeduplicationPeriod } from './deduplication.js'
import type { Ledger } from './ledger.js'
import { type CommandRequest, interpretAndRoute } from './routed-interpretation.js'
import { type Flight, takeUp } from './take-up.js'
import type { Submission, Transaction } from './transaction.js'

export interface CommandSubmission extends Submission, Omit<CommandRequest, 'actAs' | 'readAs'> {
  deduplication?: DeduplicationPeriod
  /** Lower bound of the ledger time, in microseconds; the caller has waited for it. */
  minLedgerTime?: bigint
  traceId: string
}

/** Commits the submission once it has been in flight, or rejects with `LedgerError`; a refused submission changes nothing. */
export async function submit(ledger: Ledger, submission: CommandSubmission): Promise<Transaction> {
  const flight = launch(ledger, submission)
  await ledger.clock.transit()
  return flight.land()
}

/** Interprets the submission and takes it up, or throws `LedgerError`. */
export function launch(ledger: Ledger, submission: CommandSubmission): Flight {
  const { commands, packageNames, disclosed, prescribed, deduplication, minLedgerTime, traceId, ...identity } =
    submission
  const now = ledger.clock.now()
  const effectiveAt = minLedgerTime !== undefined && minLedgerTime > now ? minLedgerTime : now
  const routed = interpretAndRoute(ledger, submission, { now, effectiveAt, signed: false })
  return takeUp(ledger, { identity, ...routed, deduplication, effectiveAt, traceId })
}
