/** Work that is done in parts, so that the program can attend to others in between. */
import { setImmediate } from 'node:timers/promises'

/** Yields whenever others may have their turn. */
export type Slices<T> = Generator<void, T, void>

/** Gives others their turn between the parts. Rejects with what the work throws. */
export async function inTurns<T>(work: Slices<T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
    await setImmediate()
  }
}
