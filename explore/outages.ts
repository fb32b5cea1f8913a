import { TargetError } from '../runner/target/target.js'
import type { Side } from './send/side.js'

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
