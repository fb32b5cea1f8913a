/** A shared/exclusive lock: work that shares runs at once, exclusive work runs alone, in the order of the calls. */
export class SharedLock {
  /** Settles after the last exclusive work. */
  #exclusive: Promise<unknown> = Promise.resolve()
  readonly #sharing = new Set<Promise<unknown>>()
  #exclusiveRuns = 0

  /** Number of exclusive runs that have started. */
  get exclusiveRuns(): number {
    return this.#exclusiveRuns
  }

  /** Rejects as the work does. */
  share<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#exclusive.then(work)
    const out = settled(done).then(() => void this.#sharing.delete(out))
    this.#sharing.add(out)
    return done
  }

  /** Rejects as the work does. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = Promise.all([this.#exclusive, ...this.#sharing]).then(() => {
      this.#exclusiveRuns += 1
      return work()
    })
    this.#exclusive = settled(done)
    return done
  }
}

const settled = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    () => undefined,
  )
