/** Waits for something; whoever is in flight lets others go ahead meanwhile. */
export type Rest = (something: Promise<unknown>) => Promise<void>

interface Bounds {
  isOver?: () => boolean
  /** Awaited before each item, in their order: whoever keeps others waiting by it must not need a place among those in flight. */
  admit?: () => Promise<void>
}

/**
 * Works through a list in order, with at most `limit` items in flight (at least one), those not counted that rest. After an
 * error, and once it `isOver`, nothing new is begun; once everything in flight has ended, the first error is thrown.
 */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number, rest: Rest) => Promise<void>,
  { isOver = () => false, admit }: Bounds = {},
): Promise<void> {
  const seats = new Seats(Math.max(1, limit))
  const errors: unknown[] = []
  const running = new Set<Promise<void>>()
  for (const [index, item] of items.entries()) {
    await admit?.()
    await seats.take()
    if (errors.length > 0 || isOver()) break
    const one = work(item, index, (something) => seats.leaveFor(something))
      .catch((error: unknown) => void errors.push(error))
      .finally(() => {
        seats.free()
        running.delete(one)
      })
    running.add(one)
  }
  await Promise.all(running)
  if (errors.length > 0) throw errors[0]
}

/** So many at once; who waits for a seat gets one in the order of asking. */
class Seats {
  #left: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#left = count
  }

  async take(): Promise<void> {
    if (this.#left > 0) this.#left -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  free(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#left += 1
  }

  async leaveFor(something: Promise<unknown>): Promise<void> {
    this.free()
    try {
      await something
    } finally {
      await this.take()
    }
  }
}
