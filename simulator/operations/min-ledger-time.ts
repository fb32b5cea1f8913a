import { printInstant } from '../../lib/json/instant.js'
import { ledgerTimeOutOfBound, RedactedError } from '../base/errors.js'
import { duration } from '../codec/commands.js'
import { emptyCase, mapped, message, optional, required, union } from '../json/decode.js'
import { instant } from '../json/instant.js'
import type { Participant } from '../participant/participant.js'

export interface LedgerTimeBounds {
  /** Microseconds since 1970. */
  minLedgerTimeAbs: bigint | undefined
  /** Microseconds from now. */
  minLedgerTimeRel: bigint | undefined
}

export const noBound: LedgerTimeBounds = { minLedgerTimeAbs: undefined, minLedgerTimeRel: undefined }

export const minLedgerTimeBody = mapped(
  message({
    time: optional(
      union<LedgerTimeBounds>({
        MinLedgerTimeAbs: mapped(message({ value: required(instant) }), ({ value }) => ({
          ...noBound,
          minLedgerTimeAbs: value,
        })),
        MinLedgerTimeRel: mapped(message({ value: required(duration) }), ({ value }) => ({
          ...noBound,
          minLedgerTimeRel: value,
        })),
        Empty: mapped(emptyCase, () => noBound),
      }),
      noBound,
    ),
  }),
  ({ time }) => time,
)

/** Microseconds since 1970. */
export function minLedgerTime(
  { minLedgerTimeAbs, minLedgerTimeRel }: LedgerTimeBounds,
  now: bigint,
): bigint | undefined {
  return minLedgerTimeAbs ?? (minLedgerTimeRel === undefined ? undefined : now + minLedgerTimeRel)
}

/**
 * Waits for the bound. Beyond the time limit it is a client error, which the reference answers with a server error.
 * Rejects with `LedgerError` or `RedactedError`.
 */
export async function reachMinLedgerTime(
  bounds: LedgerTimeBounds,
  { ledger: { clock }, behaviour, answerLimit }: Participant,
  overdue: AbortSignal,
): Promise<bigint | undefined> {
  const now = clock.now()
  const time = minLedgerTime(bounds, now)
  if (time === undefined) return undefined
  if (time - now > BigInt(answerLimit) * 1000n && !behaviour.has('server-error-for-far-ledger-time')) {
    const [wanted, found] = [printInstant(time), printInstant(now)]
    throw ledgerTimeOutOfBound('service', `The ledger time ${wanted} is too far ahead: it is ${found}`)
  }
  await clock.reach(time, overdue)
  if (overdue.aborted) throw new RedactedError('INTERNAL')
  return time
}
