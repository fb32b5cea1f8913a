import type { EndedEarly } from '../../record/types/reason.js'

/** The first cause counts. Only restoring steps follow. */
export class EarlyEnd {
  #decided: EndedEarly | undefined
  readonly #listeners = new Set<() => void>()

  get decided(): EndedEarly | undefined {
    return this.#decided
  }

  decide(why: EndedEarly): void {
    if (this.#decided) return
    this.#decided = why
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }

  /** The returned function removes the listener. */
  whenDecided(listener: () => void): () => void {
    if (this.#decided) listener()
    else this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Milliseconds; ends early if decided. */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        forget()
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      const forget = this.whenDecided(() => queueMicrotask(done))
    })
  }
}

export class EndedBeforeRows extends Error {
  override readonly name = 'EndedBeforeRows'
  readonly why: EndedEarly

  constructor(why: EndedEarly) {
    super(`the run ended before its first row: ${why.cause}`)
    this.why = why
  }
}
