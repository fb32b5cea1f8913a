import type { Clock } from './clock.js'
import type { Others } from './transit.js'

/** In microseconds. */
export interface ClockState {
  /** A restored clock never shows less. */
  reading: bigint
  /** Ahead of the system clock. */
  offset: bigint
  frozen: boolean
}

export class AdjustableClock implements Clock {
  /** Measures the time that clients wait; without offset. */
  readonly base: Clock
  #offset = 0n
  #frozenAt: bigint | undefined
  readonly #changed = new Set<() => void>()

  constructor(base: Clock) {
    this.base = base
  }

  /** Readings of a frozen clock repeat. */
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

  /** Continues from the frozen time. */
  unfreeze(): void {
    if (this.#frozenAt === undefined) return
    this.#offset = this.#frozenAt - this.base.now()
    this.#frozenAt = undefined
    this.#wake()
  }

  /** A frozen clock stays frozen. */
  advance(micros: bigint): void {
    if (this.#frozenAt === undefined) this.#offset += micros
    else this.#frozenAt += micros
    this.#wake()
  }

  get state(): ClockState {
    return { reading: this.now(), offset: this.#offset, frozen: this.isFrozen }
  }

  /** Never goes back, even if the system clock is behind the saved one. */
  restore({ reading, offset, frozen }: ClockState): void {
    this.#frozenAt = frozen ? reading : undefined
    this.#offset = offset
    const behind = reading - this.now()
    if (behind > 0n) this.#offset += behind
    this.#wake()
  }

  /** Resolves when the time is reached, the clock is adjusted or the signal is aborted. */
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
