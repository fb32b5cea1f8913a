/** Transactions that are remembered at most; those that were prepared first are forgotten first. */
const most = 10_000

/** Whom transactions were prepared to read as: that stands in no prepared transaction, and is wanted when it is executed. */
export class PreparedReaders {
  readonly #byUuid: Map<string, readonly string[]>

  constructor(byUuid: Map<string, readonly string[]>) {
    this.#byUuid = byUuid
  }

  remember(transactionUuid: string, readers: readonly string[]): void {
    if (readers.length === 0) return
    this.#byUuid.set(transactionUuid, readers)
    const [first] = this.#byUuid.keys()
    if (this.#byUuid.size > most && first !== undefined) this.#byUuid.delete(first)
  }

  of(transactionUuid: string): readonly string[] {
    return this.#byUuid.get(transactionUuid) ?? []
  }
}
