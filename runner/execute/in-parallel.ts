/** Until the promise settles, other work can run. */
export type ReleaseSlot = (until: Promise<unknown>) => Promise<void>

interface Bounds {
  isOver?: () => boolean
  /** Awaited before each item. It must not need a free slot. */
  admit?: () => Promise<void>
}

/** Rejects with the first error, after the running items. */
export async function inParallel<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number, releaseSlot: ReleaseSlot) => Promise<void>,
  { isOver = () => false, admit }: Bounds = {},
): Promise<void> {
  const slots = new Slots(Math.max(1, limit))
  const errors: unknown[] = []
  const running = new Set<Promise<void>>()
  for (const [index, item] of items.entries()) {
    await admit?.()
    await slots.take()
    if (errors.length > 0 || isOver()) break
    const one = work(item, index, (until) => slots.releaseDuring(until))
      .catch((error: unknown) => void errors.push(error))
      .finally(() => {
        slots.free()
        running.delete(one)
      })
    running.add(one)
  }
  await Promise.all(running)
  if (errors.length > 0) throw errors[0]
}

class Slots {
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

  async releaseDuring(until: Promise<unknown>): Promise<void> {
    this.free()
    try {
      await until
    } finally {
      await this.take()
    }
  }
}
