/** Shared work runs at once, exclusive work alone, in the order of the calls. */
export class SharedLock {
  #exclusive: Promise<unknown> = Promise.resolve()
  readonly #sharing = new Set<Promise<unknown>>()

  /** Rejects as the work does. */
  share<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#exclusive.then(work)
    const out = settled(done).then(() => void this.#sharing.delete(out))
    this.#sharing.add(out)
    return done
  }

  /** Rejects as the work does. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = Promise.all([this.#exclusive, ...this.#sharing]).then(work)
    this.#exclusive = settled(done)
    return done
  }
}

const settled = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    () => undefined,
  )
