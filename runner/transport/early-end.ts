/** The early end of a run and its cause. */
import type { EndedEarly } from '../../record/types/record.js'

/** The first cause counts. After it, the run starts no row and sends only restoring steps. */
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

  /** Calls the listener at once if the end is already decided. The returned function removes the listener. */
  whenDecided(listener: () => void): () => void {
    if (this.#decided) listener()
    else this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Waits at most the given milliseconds, until the end is decided. */
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

/** The run ended before its first row. */
export class EndedBeforeRows extends Error {
  override readonly name = 'EndedBeforeRows'
  readonly why: EndedEarly

  constructor(why: EndedEarly) {
    super(`${why.sentence} No row was started.`)
    this.why = why
  }
}
