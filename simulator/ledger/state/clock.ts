import { type Others, quietTransit } from './transit.js'

/** Time as the ledger sees it. Injected, so that tests and a control plane can decide what time it is. */
export interface Clock {
  /** Microseconds since 1970. */
  now(): bigint
  /** Resolves when `now()` has reached the given time, or when the signal is aborted. */
  reach(time: bigint, signal?: AbortSignal): Promise<void>
  /** Resolves when a submission that is in flight from now on is to commit. */
  transit(others: Others): Promise<void>
}

/** The machine's clock. Readings never repeat, so that two transactions never share a record time. */
export function systemClock(): Clock {
  let last = 0n
  const now = (): bigint => {
    const read = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000))
    last = read > last ? read : last + 1n
    return last
  }
  const reach = async (time: bigint, signal?: AbortSignal): Promise<void> => {
    // setTimeout holds at most 2^31 ms; a later time is waited for in pieces.
    while (now() < time && !signal?.aborted) {
      const milliseconds = Math.min(Number((time - now()) / 1000n) + 1, 2 ** 30)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds)
        const stop = (): void => {
          clearTimeout(timer)
          resolve()
        }
        signal?.addEventListener('abort', stop, { once: true })
      })
    }
  }
  return { now, reach, transit: quietTransit() }
}
