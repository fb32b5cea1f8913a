import type { Clock } from '../../../simulator/ledger/state/clock.js'

export interface StillClock extends Clock {
  advance(milliseconds: number): void
}

/** Advances by 1 µs at each reading, and immediately to awaited times up to `patience` milliseconds ahead. */
export function stillClock(patience = 20_000): StillClock {
  let time = 1_893_456_000_000_000n // 2030-01-01
  const now = (): bigint => {
    time += 1n
    return time
  }
  const reach = async (wanted: bigint, signal?: AbortSignal): Promise<void> => {
    if (wanted > time + BigInt(patience) * 1000n) return await aborted(signal)
    if (wanted > time) time = wanted
  }
  const advance = (milliseconds: number): void => {
    time += BigInt(milliseconds) * 1000n
  }
  const transit = (): Promise<void> => Promise.resolve()
  return { now, reach, transit, advance }
}

const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve(), { once: true })
  })
