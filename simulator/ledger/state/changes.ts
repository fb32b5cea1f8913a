/** Lets readers wait for the next thing that is written. */
export class Changes {
  readonly #waiting = new Set<() => void>()

  announce(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const tell of waiting) tell()
  }

  /** Resolves at the next announcement, or when the signal is aborted. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const tell = (): void => {
        signal.removeEventListener('abort', tell)
        this.#waiting.delete(tell)
        resolve()
      }
      this.#waiting.add(tell)
      signal.addEventListener('abort', tell, { once: true })
    })
  }
}
