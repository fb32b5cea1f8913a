import { type Others, quietTransit } from './transit.js'

/** Injected, so that tests and the control plane can set the time. */
export interface Clock {
  /** Microseconds since 1970. */
  now(): bigint
  /** Resolves when `now()` reaches the time, or when the signal is aborted. */
  reach(time: bigint, signal?: AbortSignal): Promise<void>
  /** Resolves when a submission that is now in flight can commit. */
  transit(others: Others): Promise<void>
}

/** Readings never repeat, so record times are unique. */
export function systemClock(): Clock {
  let last = 0n
  const now = (): bigint => {
    const read = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000))
    last = read > last ? read : last + 1n
    return last
  }
  const reach = async (time: bigint, signal?: AbortSignal): Promise<void> => {
    // setTimeout accepts at most 2^31 ms.
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
