/** The oldest entries are dropped first. */
const maximum = 10_000

/** `readAs` parties, which an execution needs and prepared bytes lack. */
export class PreparedReaders {
  readonly #byUuid: Map<string, readonly string[]>

  constructor(byUuid: Map<string, readonly string[]>) {
    this.#byUuid = byUuid
  }

  remember(transactionUuid: string, readers: readonly string[]): void {
    if (readers.length === 0) return
    this.#byUuid.set(transactionUuid, readers)
    const [first] = this.#byUuid.keys()
    if (this.#byUuid.size > maximum && first !== undefined) this.#byUuid.delete(first)
  }

  of(transactionUuid: string): readonly string[] {
    return this.#byUuid.get(transactionUuid) ?? []
  }
}

/** UUIDs of sequenced transactions, accepted or rejected. */
export class UuidMemory {
  /** Expiry in microseconds since 1970. */
  readonly #until: Map<string, bigint>

  constructor(until: Map<string, bigint>) {
    this.#until = until
  }

  /** If the UUID is already reserved, returns the expiry in microseconds since 1970. */
  remember(uuid: string, now: bigint): bigint | undefined {
    this.#forget(now)
    const until = this.#until.get(uuid)
    if (until !== undefined) return until
    this.#until.set(uuid, now + timeToRemember)
    return undefined
  }

  /** Entries are in order of expiry. */
  #forget(now: bigint): void {
    for (const [uuid, until] of this.#until) {
      if (until > now) return
      this.#until.delete(uuid)
    }
  }
}

/** Twice the tolerance of the preparation time, in microseconds (observed on 3.5.10). */
const timeToRemember = 48n * 3_600_000_000n
