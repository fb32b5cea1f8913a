import { RedactedError } from '../errors.js'
import type { Clock } from '../ledger/clock.js'

export interface LedgerTimeBounds {
  /** Microseconds since 1970. */
  minLedgerTimeAbs: bigint | undefined
  /** Microseconds, counted from now. */
  minLedgerTimeRel: bigint | undefined
}

/** The lower bound of the ledger time, in microseconds since 1970; undefined where none is set. */
export function minLedgerTime(
  { minLedgerTimeAbs, minLedgerTimeRel }: LedgerTimeBounds,
  now: bigint,
): bigint | undefined {
  return minLedgerTimeAbs ?? (minLedgerTimeRel === undefined ? undefined : now + minLedgerTimeRel)
}

/**
 * Waits until the lower bound of the ledger time is reached and returns it; undefined where none is set. When the caller has been told that it took too long, the submission is given up.
 */
export async function reachMinLedgerTime(
  bounds: LedgerTimeBounds,
  clock: Clock,
  overdue: AbortSignal,
): Promise<bigint | undefined> {
  const time = minLedgerTime(bounds, clock.now())
  if (time === undefined) return undefined
  await clock.reach(time, overdue)
  if (overdue.aborted) throw new RedactedError('INTERNAL')
  return time
}
