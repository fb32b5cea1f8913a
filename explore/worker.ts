/** Workers send one sequence after the other, with their own parties and users. */
import type { Pair } from './compare/run-sequence.js'
import type { GeneratorSettings } from './generate/workloads.js'

export interface Worker {
  pair: Pair
  settings: GeneratorSettings
}

/** Undefined after an outage. */
export type FindWorker = () => Promise<Worker | undefined>

/** Milliseconds after which no late effect is expected. */
const latestEffect = 5_000

/** For attempts that must not meet effects of other requests. */
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
