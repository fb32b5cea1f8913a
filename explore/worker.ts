/** Workers: each sends one request sequence after the other, with its own parties and users on both sides. */
import type { Pair } from './compare/run-sequence.js'
import type { GeneratorSettings } from './generate/generator-settings.js'

export interface Worker {
  pair: Pair
  settings: GeneratorSettings
}

/** Creates parties and users on both sides. Rejects with `TargetError` and `JournalError`. */
export type OpenWorker = () => Promise<Worker>

/** Milliseconds after which no late effect of an earlier request is expected. */
const latestEffect = 5_000

/** A pool of workers for requests that must not meet late effects of other requests. */
export class SpareWorkers {
  readonly #open: OpenWorker
  /** The least recently used worker is the first. */
  readonly #used: { worker: Worker; at: number }[] = []

  constructor(open: OpenWorker) {
    this.#open = open
  }

  /** A worker that has been idle long enough, or a new one. Rejects as `OpenWorker` does. */
  async idle(): Promise<Worker> {
    const [first] = this.#used
    const isIdle = first !== undefined && performance.now() - first.at > latestEffect
    const worker = isIdle ? first.worker : await this.#open()
    if (isIdle) this.#used.shift()
    this.#used.push({ worker, at: performance.now() })
    return worker
  }
}
