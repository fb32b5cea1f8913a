import { invalidField, negativeOffset, RedactedError, ReferenceFault } from '../base/errors.js'
import type { DeduplicationPeriod } from '../ledger/deduplication.js'

const longestMicros = 2n ** 63n / 1000n

/** Durations beyond what 64-bit nanoseconds hold. */
function refuseEndless(micros: bigint): void {
  if (micros < longestMicros) return
  const proper = invalidField('request', 'deduplication_period', 'Duration is out of range')
  throw new ReferenceFault(new RedactedError('INTERNAL'), proper)
}

/** Throws when the period is negative, or longer than can be reckoned with. */
export function refuseBadPeriod(period: DeduplicationPeriod | undefined): void {
  if (period?.kind === 'duration') {
    if (period.micros < 0n) throw invalidField('request', 'deduplication_period', 'Duration must be positive')
    refuseEndless(period.micros)
  }
  if (period?.kind !== 'offset' || period.offset >= 0n) return
  throw negativeOffset(
    'request',
    `Offset ${period.offset} in deduplication_period is a negative integer: the deduplication offset has to be a non-negative integer and not ${period.offset}`,
    { definite: 'unsaid' },
  )
}
