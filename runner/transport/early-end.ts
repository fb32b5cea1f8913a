/** Why a run ends before its plan does, told to everything that could still begin something. */
import type { EndedEarly } from '../../record/types/record.js'

/**
 * Decided once and for all: the first cause counts. Once it is, no row is begun and no step is sent but those that put back
 * what a row changed.
 */
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

  /** Calls back once it is decided, at once where it is; the returned function takes that back. */
  whenDecided(listener: () => void): () => void {
    if (this.#decided) listener()
    else this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Waits so many milliseconds, or until it is decided. */
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

/** A run was ended before its rows were begun: nothing was judged. */
export class EndedBeforeRows extends Error {
  override readonly name = 'EndedBeforeRows'
  readonly why: EndedEarly

  constructor(why: EndedEarly) {
    super(`${why.sentence} No row had been begun.`)
    this.why = why
  }
}
