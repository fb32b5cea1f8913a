import type { LedgerState } from './ledger-state.js'

/** The oldest entries are dropped first. */
const maximum = 10_000

/** Keeps the `readAs` parties, which an execution needs and prepared bytes lack. */
export function rememberReaders(
  { preparedReaders }: LedgerState,
  transactionUuid: string,
  readers: readonly string[],
): void {
  if (readers.length === 0) return
  preparedReaders.set(transactionUuid, readers)
  const [first] = preparedReaders.keys()
  if (preparedReaders.size > maximum && first !== undefined) preparedReaders.delete(first)
}

/** Twice the tolerance of the preparation time, in microseconds (observed on 3.5.10). */
const timeToRemember = 48n * 3_600_000_000n

/**
 * For each sequenced transaction, accepted or rejected. If the UUID is already reserved, returns the expiry in
 * microseconds since 1970.
 */
export function reserveUuid({ takenUuids }: LedgerState, uuid: string, now: bigint): bigint | undefined {
  // Entries are in order of expiry.
  for (const [taken, until] of takenUuids) {
    if (until > now) break
    takenUuids.delete(taken)
  }
  const until = takenUuids.get(uuid)
  if (until === undefined) takenUuids.set(uuid, now + timeToRemember)
  return until
}
