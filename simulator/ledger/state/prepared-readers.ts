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
