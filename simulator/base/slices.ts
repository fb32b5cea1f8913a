import { setImmediate } from 'node:timers/promises'

/** Long work that yields to the event loop. */
export type Slices<T> = Generator<void, T, void>

export async function inTurns<T>(work: Slices<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await setImmediate()
  }
}
