/** The UUIDs of transactions that were sequenced: none can be used again for a while, whatever became of it. */
export class UuidMemory {
  /** Until when each is taken, in microseconds since 1970. */
  readonly #until: Map<string, bigint>

  constructor(until: Map<string, bigint>) {
    this.#until = until
  }

  /** Takes the UUID; if it is taken already, returns until when, in microseconds since 1970. */
  remember(uuid: string, now: bigint): bigint | undefined {
    this.#forget(now)
    const until = this.#until.get(uuid)
    if (until !== undefined) return until
    this.#until.set(uuid, now + timeToRemember)
    return undefined
  }

  /** Whatever was remembered first is forgotten first. */
  #forget(now: bigint): void {
    for (const [uuid, until] of this.#until) {
      if (until > now) return
      this.#until.delete(uuid)
    }
  }
}

/** Twice the tolerance of the preparation time, in microseconds (as seen on 3.5.10). */
const timeToRemember = 48n * 3_600_000_000n
