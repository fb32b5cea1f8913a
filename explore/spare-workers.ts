/** Lanes in which nothing was asked for a while, so that nothing late can show there any more. */
import type { Lane, OpenLane } from './worker.js'

/** Milliseconds after which late effects would have shown. */
const longestLate = 5_000

export class SpareLanes {
  readonly #open: OpenLane
  /** The one that was used first is the first. */
  readonly #used: { lane: Lane; at: number }[] = []

  constructor(open: OpenLane) {
    this.#open = open
  }

  /** To be used at once. Rejects as opening a lane does. */
  async untouched(): Promise<Lane> {
    const [first] = this.#used
    const isRested = first !== undefined && performance.now() - first.at > longestLate
    const lane = isRested ? first.lane : await this.#open()
    if (isRested) this.#used.shift()
    this.#used.push({ lane, at: performance.now() })
    return lane
  }
}
