import type { Clock } from './clock.js'
import type { Others } from './transit.js'

/** What a clock has to remember so that its time goes on from there. All in microseconds. */
export interface ClockState {
  /** What it showed when the state was taken; it never shows less again. */
  reading: bigint
  /** How far it is ahead of the machine's clock. */
  offset: bigint
  frozen: boolean
}

/** A clock that runs along with another one, ahead of it or stopped, as somebody decides. */
export class AdjustableClock implements Clock {
  /** The time of those who wait for an answer: nobody adjusts that. */
  readonly base: Clock
  #offset = 0n
  #frozenAt: bigint | undefined
  readonly #changed = new Set<() => void>()

  constructor(base: Clock) {
    this.base = base
  }

  /** While the clock is frozen readings do repeat, unlike those of the machine's clock. */
  now(): bigint {
    return this.#frozenAt ?? this.base.now() + this.#offset
  }

  async reach(time: bigint, signal?: AbortSignal): Promise<void> {
    while (this.now() < time && !signal?.aborted) await this.#runOrChange(time, signal)
  }

  transit(others: Others): Promise<void> {
    return this.base.transit(others)
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined
  }

  freeze(): void {
    this.#frozenAt = this.now()
    this.#wake()
  }

  /** Goes on from the time at which it stood. */
  unfreeze(): void {
    if (this.#frozenAt === undefined) return
    this.#offset = this.#frozenAt - this.base.now()
    this.#frozenAt = undefined
    this.#wake()
  }

  /** Puts the clock forward by so many microseconds; a frozen one stays frozen. */
  advance(micros: bigint): void {
    if (this.#frozenAt === undefined) this.#offset += micros
    else this.#frozenAt += micros
    this.#wake()
  }

  get state(): ClockState {
    return { reading: this.now(), offset: this.#offset, frozen: this.isFrozen }
  }

  /** Continues as the clock whose state it was, even if this machine's clock is behind the one of then. */
  restore({ reading, offset, frozen }: ClockState): void {
    this.#frozenAt = frozen ? reading : undefined
    this.#offset = offset
    const behind = reading - this.now()
    if (behind > 0n) this.#offset += behind
    this.#wake()
  }

  /** Waits until the time has come, or somebody has adjusted the clock, or the signal is aborted. */
  async #runOrChange(time: bigint, signal: AbortSignal | undefined): Promise<void> {
    const over = new AbortController()
    const end = (): void => over.abort()
    const ended = new Promise<void>((resolve) => {
      over.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    this.#changed.add(end)
    signal?.addEventListener('abort', end, { once: true })
    try {
      await (this.isFrozen ? ended : this.base.reach(time - this.#offset, over.signal))
    } finally {
      this.#changed.delete(end)
      signal?.removeEventListener('abort', end)
    }
  }

  #wake(): void {
    for (const end of [...this.#changed]) end()
  }
}
