import { printInstant } from '../../lib/json/instant.js'
import { ledgerTimeOutOfBound, RedactedError } from '../base/errors.js'
import type { Participant } from '../participant/participant.js'

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
 * Waits until the lower bound of the ledger time is reached and returns it; undefined where none is set. A bound that is
 * farther ahead than a caller is kept waiting is a mistake, which the reference answers with a server error once it has
 * kept him waiting. The submission is given up then.
 */
export async function reachMinLedgerTime(
  bounds: LedgerTimeBounds,
  { ledger: { clock }, behaviour, answerLimit }: Participant,
  overdue: AbortSignal,
): Promise<bigint | undefined> {
  const now = clock.now()
  const time = minLedgerTime(bounds, now)
  if (time === undefined) return undefined
  if (time - now > BigInt(answerLimit) * 1000n && !behaviour.has('server-error-for-client-mistake')) {
    const [wanted, found] = [printInstant(time), printInstant(now)]
    throw ledgerTimeOutOfBound('service', `The ledger time ${wanted} is too far ahead: it is ${found}`)
  }
  await clock.reach(time, overdue)
  if (overdue.aborted) throw new RedactedError('INTERNAL')
  return time
}
