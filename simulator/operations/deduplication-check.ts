import type { Behaviour } from '../base/behaviour.js'
import { invalidField, negativeOffset, RedactedError, ReferenceFault } from '../base/errors.js'
import type { DeduplicationPeriod } from '../ledger/state/deduplication.js'

/** Above 64-bit nanoseconds. */
function refuseEndless(nanos: bigint): void {
  if (nanos < 2n ** 63n) return
  const proper = invalidField('request', 'deduplication_period', 'Duration is out of range')
  throw new ReferenceFault(new RedactedError('INTERNAL'), proper, 'server-error-for-endless-duration')
}

/** The reference fails on fractions of a microsecond. */
export function refuseBadPeriod(period: DeduplicationPeriod | undefined, behaviour: Behaviour): void {
  if (period?.kind === 'duration') {
    if (period.nanos < 0n) throw invalidField('request', 'deduplication_period', 'Duration must be positive')
    refuseEndless(period.nanos)
    if (period.nanos % 1000n !== 0n && behaviour.has('server-error-for-fine-duration'))
      throw new RedactedError('INTERNAL', { traced: false })
  }
  if (period?.kind !== 'offset' || period.offset >= 0n) return
  throw negativeOffset(
    'request',
    `Offset ${period.offset} in deduplication_period is a negative integer: the deduplication offset has to be a non-negative integer and not ${period.offset}`,
    { definite: 'unsaid' },
  )
}
