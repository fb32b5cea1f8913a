import { RedactedError } from '../errors.js'
import type { Clock } from '../ledger/clock.js'

/**
 * Waits until the lower bound of the ledger time is reached and returns it; undefined where none is set. A relative bound
 * counts from now. When the caller has been told that it took too long, the submission is given up.
 */
export async function reachMinLedgerTime(
  bounds: { minLedgerTimeAbs: bigint | undefined; minLedgerTimeRel: bigint | undefined },
  clock: Clock,
  overdue: AbortSignal,
): Promise<bigint | undefined> {
  const { minLedgerTimeAbs: absolute, minLedgerTimeRel: relative } = bounds
  const time = absolute ?? (relative === undefined ? undefined : clock.now() + relative)
  if (time === undefined) return undefined
  await clock.reach(time, overdue)
  if (overdue.aborted) throw new RedactedError('INTERNAL')
  return time
}
