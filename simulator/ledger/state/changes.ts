export class Changes {
  readonly #waiting = new Set<() => void>()

  announce(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const notify of waiting) notify()
  }

  /** Resolves at the next announcement, or when the signal is aborted. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const notify = (): void => {
        signal.removeEventListener('abort', notify)
        this.#waiting.delete(notify)
        resolve()
      }
      this.#waiting.add(notify)
      signal.addEventListener('abort', notify, { once: true })
    })
  }
}
