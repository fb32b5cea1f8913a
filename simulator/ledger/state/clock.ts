import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'

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
      await delay(milliseconds, undefined, signal && { signal }).catch(() => undefined)
    }
  }
  return { now, reach, transit: quietTransit() }
}

/** Longer than the gap between simultaneous submissions on a busy machine. */
const quietMilliseconds = 10
/** About the duration of each submission on the reference participant 3.5.10. */
const longestMilliseconds = 300

interface Others {
  /** No other client can submit. */
  readonly hasSingleClient: boolean
}

/** A submission stays in flight until no further one arrives, so simultaneous ones meet. They commit in order of submission. A single client does not wait. */
function quietTransit(): (others: Others) => Promise<void> {
  let submitted = 0
  let commit: Promise<void> | undefined
  const quiet = async (): Promise<void> => {
    const latest = performance.now() + longestMilliseconds
    let before: number
    do {
      before = submitted
      await delay(quietMilliseconds)
    } while (submitted !== before && performance.now() < latest)
    commit = undefined
  }
  return async (others) => {
    submitted += 1
    // Simultaneous requests and new connections become visible within one turn of the event loop.
    await turn()
    await turn()
    if (others.hasSingleClient) return
    commit ??= quiet()
    return commit
  }
}

export class Changes {
  readonly #waiting = new Set<() => void>()

  announce(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const notify of waiting) notify()
  }

  /** Resolves at the next announcement, or when the signal is aborted. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const notify = (): void => {
        signal.removeEventListener('abort', notify)
        this.#waiting.delete(notify)
        resolve()
      }
      this.#waiting.add(notify)
      signal.addEventListener('abort', notify, { once: true })
    })
  }
}

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
  readonly #changes = new Changes()

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
    this.#changes.announce()
  }

  /** Continues from the frozen time. */
  unfreeze(): void {
    if (this.#frozenAt === undefined) return
    this.#offset = this.#frozenAt - this.base.now()
    this.#frozenAt = undefined
    this.#changes.announce()
  }

  /** A frozen clock stays frozen. */
  advance(micros: bigint): void {
    if (this.#frozenAt === undefined) this.#offset += micros
    else this.#frozenAt += micros
    this.#changes.announce()
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
    this.#changes.announce()
  }

  /** Resolves when the time is reached, the clock is adjusted or the signal is aborted. */
  async #runOrChange(time: bigint, signal: AbortSignal | undefined): Promise<void> {
    const over = new AbortController()
    const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal
    const changed = this.#changes.next(either)
    try {
      await (this.isFrozen ? changed : Promise.race([changed, this.base.reach(time - this.#offset, either)]))
    } finally {
      over.abort()
    }
  }
}
