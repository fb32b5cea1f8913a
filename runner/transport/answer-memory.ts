/**
 * Keeps the answers that a run holds at once within a part of its memory. A row holds what it was answered until it is recorded, and
 * rows wait for late looks together: a target that answers everything with megabytes would fill any memory. Nothing is judged
 * otherwise for it, only later.
 */

import type { Evidence, RecordedBody } from '../../record/types/record.js'

/** Bytes of answers; an ordinary run is far from it. */
const most = 96 * 1024 * 1024
/** What the heaviest row of late weighs, is forgotten by and by. */
const forgetting = 0.9

export class AnswerMemory {
  /** Of rows that have ended and are not recorded, and of those that rest. */
  #held = 0
  #inFlight = 0
  /** What the next row is taken to weigh. */
  #expected = 0
  #waiting: (() => void)[] = []

  /** Waits until another row can be begun: there is room for it, or nothing that would make any. */
  async enter(): Promise<void> {
    while (this.#isFull()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#inFlight += 1
  }

  /** A row that was begun waits for something, and has been answered so many bytes up to now: what it may yet be answered needs no room meanwhile. */
  async rest(bytes: number, something: Promise<void>): Promise<void> {
    this.#inFlight -= 1
    this.#held += bytes
    this.#wake()
    try {
      await something
    } finally {
      this.#held -= bytes
      this.#inFlight += 1
    }
  }

  /** A row that was begun has ended, with answers of so many bytes. They are held until the function is called that is returned. */
  ended(bytes: number): () => void {
    this.#inFlight -= 1
    this.#held += bytes
    this.#expected = Math.max(bytes, this.#expected * forgetting)
    this.#wake()
    return () => {
      this.#held -= bytes
      this.#wake()
    }
  }

  #isFull(): boolean {
    return this.#inFlight + this.#held > 0 && this.#held + (this.#inFlight + 1) * this.#expected > most
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const look of waiting) look()
  }
}

/** Bytes that exchanges hold: what was answered is asked with as well. */
export const bytesInMemory = (evidence: readonly Evidence[]): number =>
  evidence.reduce((sum, { request, response }) => sum + memoryOf(request.body) + memoryOf(response?.body), 0)

/** A text with a character beyond Latin-1, which is more than a byte, has two bytes for each. */
const memoryOf = ({ text, bytes }: RecordedBody = { bytes: 0 }): number =>
  text !== undefined && bytes > text.length ? 2 * text.length : bytes
