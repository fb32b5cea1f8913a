/**
 * Looks at the ledger a while after each row, for all of them at once: an effect that comes late is found without any row's
 * waiting for it. Rows that have ended are held until then, and nothing is sent for them meanwhile.
 */
import type { Evidence } from '../../record/types/record.js'
import type { EarlyEnd } from '../transport/early-end.js'
import type { LedgerWatch } from './ledger-watch.js'

interface LateLooksOptions {
  /** Milliseconds from the end of a row to its look, at least. */
  after: number
  end: EarlyEnd
  /** Hears, once, that the ledger cannot be read. */
  failed?: (sentence: string) => void
}

interface Held {
  due: number
  release(isLooked: boolean): void
}

/** Milliseconds that a look waits for rows that have ended just behind the first. */
const together = 20
/** Milliseconds between two looks: each is for all rows that have ended long enough ago. */
const pause = 400
/** A target that could not be looked at that often in a row is not looked at any more. */
const enough = 3

export class LateChecks {
  readonly #watch: LedgerWatch
  readonly #options: LateLooksOptions
  #held: Held[] = []
  #failures = 0
  #running = false

  constructor(watch: LedgerWatch, options: LateLooksOptions) {
    this.#watch = watch
    this.#options = options
  }

  /**
   * What the ledger shows of the row that marks its requests with `marker`, late enough. Undefined where nobody could look: the
   * run is being ended, or the target does not tell.
   */
  async at(marker: string, step: number): Promise<Evidence | undefined> {
    const isLooked = await this.#wait()
    const found = isLooked ? this.#watch.excerpt(marker, step) : undefined
    this.#watch.forget(marker)
    return found
  }

  #wait(): Promise<boolean> {
    const { end, after } = this.#options
    if (end.decided || this.#failures >= enough) return Promise.resolve(false)
    return new Promise((resolve) => {
      const forget = end.whenDecided(() => resolve(false))
      this.#held.push({
        due: performance.now() + after,
        release: (isLooked) => {
          forget()
          resolve(isLooked)
        },
      })
      if (!this.#running) void this.#look()
    })
  }

  async #look(): Promise<void> {
    this.#running = true
    // A row that ends now is not alone: what ends with it is looked for together.
    let ready = performance.now()
    while (this.#held.length > 0) {
      const { end } = this.#options
      const first = Math.min(...this.#held.map(({ due }) => due))
      await end.pause(Math.max(0, first + together - performance.now(), ready - performance.now()))
      const begun = performance.now()
      const isLooked = !end.decided && (await this.#read())
      const done = this.#held.filter(({ due }) => due <= begun || end.decided || this.#failures >= enough)
      this.#held = this.#held.filter((one) => !done.includes(one))
      // What could not be looked at is tried once more, with what ends next.
      if (!isLooked && !end.decided && this.#failures < enough) this.#held.push(...done)
      else for (const one of done) one.release(isLooked)
      ready = performance.now() + pause
    }
    this.#running = false
  }

  async #read(): Promise<boolean> {
    try {
      await this.#watch.read()
      this.#failures = 0
      return true
    } catch (error) {
      // Even a fault of ours must not cost the verdicts of rows that have ended.
      this.#failures += 1
      if (this.#failures === enough) this.#options.failed?.(error instanceof Error ? error.message : String(error))
      return false
    }
  }
}
