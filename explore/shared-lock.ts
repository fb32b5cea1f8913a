/** Lets in as many at once as can share, or one who has to be alone, in the order in which they come. */
export class Turnstile {
  /** Settled once the last of those who have to be alone is out. */
  #alone: Promise<unknown> = Promise.resolve()
  readonly #sharing = new Set<Promise<unknown>>()
  #times = 0

  /** How often somebody has been alone so far. */
  get times(): number {
    return this.#times
  }

  /** Rejects with what the work does. */
  share<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#alone.then(work)
    const out = settled(done).then(() => void this.#sharing.delete(out))
    this.#sharing.add(out)
    return done
  }

  /** Rejects with what the work does. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = Promise.all([this.#alone, ...this.#sharing]).then(() => {
      this.#times += 1
      return work()
    })
    this.#alone = settled(done)
    return done
  }
}

const settled = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    () => undefined,
  )
