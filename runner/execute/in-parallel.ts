import type { Evidence, RecordedBody } from '../../record/types/record.js'

/** Until the promise settles, other work can run. */
export type ReleaseSlot = (until: Promise<unknown>) => Promise<void>

interface Bounds {
  isOver?: () => boolean
  /** Awaited before each item. It must not need a free slot. */
  admit?: () => Promise<void>
}

/** `limit`: of running items, at least one; it may change. Rejects with the first error, after the running items. */
export async function inParallel<T>(
  items: readonly T[],
  limit: () => number,
  work: (item: T, index: number, releaseSlot: ReleaseSlot) => Promise<void>,
  { isOver = () => false, admit }: Bounds = {},
): Promise<void> {
  const slots = new Slots(limit)
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
  readonly #limit: () => number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  constructor(limit: () => number) {
    this.#limit = limit
  }

  async take(): Promise<void> {
    const taken = new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#admit()
    await taken
  }

  free(): void {
    this.#taken -= 1
    this.#admit()
  }

  #admit(): void {
    while (this.#taken < Math.max(1, this.#limit())) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#taken += 1
      next()
    }
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

/** Rows keep their answers until they are recorded, after the late-effects check. */

/** Bytes. */
const limit = 96 * 1024 * 1024
/** Weight of the previous estimate after a smaller row. */
const decay = 0.9

export class AnswerMemory {
  /** Bytes of unrecorded and of waiting rows. */
  #held = 0
  #inFlight = 0
  /** Bytes of the next row. */
  #estimate = 0
  #waiting: (() => void)[] = []

  async admit(): Promise<void> {
    while (this.#isFull()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#inFlight += 1
  }

  async releaseDuring(bytes: number, until: Promise<void>): Promise<void> {
    this.#inFlight -= 1
    this.#held += bytes
    this.#wake()
    try {
      await until
    } finally {
      this.#held -= bytes
      this.#inFlight += 1
    }
  }

  /** Counts the answers until the returned function is called. */
  finish(bytes: number): () => void {
    this.#inFlight -= 1
    this.#held += bytes
    this.#estimate = Math.max(bytes, this.#estimate * decay)
    this.#wake()
    return () => {
      this.#held -= bytes
      this.#wake()
    }
  }

  #isFull(): boolean {
    return this.#inFlight + this.#held > 0 && this.#held + (this.#inFlight + 1) * this.#estimate > limit
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resume of waiting) resume()
  }
}

/** Includes request bodies: they contain values of earlier answers. */
export const bytesInMemory = (evidence: readonly Evidence[]): number =>
  evidence.reduce((sum, { request, response }) => sum + bytesOf(request.body) + bytesOf(response?.body), 0)

/** V8 uses two bytes for each character if one is beyond Latin-1. */
const bytesOf = ({ text, bytes }: RecordedBody = { bytes: 0 }): number =>
  text !== undefined && bytes > text.length ? 2 * text.length : bytes
