/** Workers send one sequence after the other, with their own parties and users. */

import { TargetError } from '../runner/target/target.js'
import type { Pair } from './compare/run-sequence.js'
import type { GeneratorSettings } from './generate/generator-settings.js'
import type { Side } from './send/side.js'

export interface Worker {
  pair: Pair
  settings: GeneratorSettings
}

/** Rejects with `TargetError` and `JournalError`. */
export type OpenWorker = () => Promise<Worker>

/** Undefined after an outage. */
export type FindWorker = () => Promise<Worker | undefined>

/** Milliseconds after which no late effect is expected. */
const latestEffect = 5_000

export class SpareWorkers {
  readonly #open: FindWorker
  /** The least recently used worker is first. */
  #used: { worker: Worker; at: number }[] = []
  /** It may still send requests until the next call. */
  #last: Worker | undefined

  constructor(open: FindWorker) {
    this.#open = open
  }

  /** A participant may lose its latest state in an outage. */
  forget(): void {
    this.#used = []
    this.#last = undefined
  }

  async idle(): Promise<Worker | undefined> {
    const now = performance.now()
    if (this.#last) this.#used.push({ worker: this.#last, at: now })
    const [first] = this.#used
    const isIdle = first !== undefined && now - first.at > latestEffect
    if (isIdle) this.#used.shift()
    this.#last = isIdle ? first.worker : await this.#open()
    return this.#last
  }
}

/** Outages of both sides. Results of requests during an outage cannot be judged. */
export class Outages {
  readonly #sides: readonly Side[]

  constructor(sides: readonly Side[]) {
    this.#sides = sides
  }

  get count(): number {
    return this.#sides.reduce((sum, { guard }) => sum + guard.outages.length, 0)
  }

  /** Also finds a participant that returned with another identity between two requests. */
  async checkParticipants(): Promise<void> {
    for (const { guard } of this.#sides) await guard.checkParticipant()
  }

  /** Undefined after an outage. Rejects as the work does, except with `TargetError` after an outage. */
  async undisturbed<T>(work: () => Promise<T>): Promise<T | undefined> {
    const before = this.count
    try {
      const result = await work()
      return this.count === before ? result : undefined
    } catch (error) {
      if (error instanceof TargetError && this.count !== before) return undefined
      throw error
    }
  }
}
