/** Reads the ledger once for several completed rows. */
import type { Evidence } from '../../record/types/record.js'
import type { EarlyEnd } from '../transport/early-end.js'
import type { LedgerWatch } from './ledger-watch.js'

interface LateCheckOptions {
  /** Milliseconds after the end of a row. */
  after: number
  end: EarlyEnd
  failed?: (reason: string) => void
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

interface HeldRow {
  /** By the clock of the options. */
  due: number
  release(isRead: boolean): void
}

/** Milliseconds to wait for further rows. */
const together = 20
/** Milliseconds. */
const pause = 400
/** Consecutive failures that end all checks. */
const mostFailures = 3

export class LateChecks {
  readonly #watch: LedgerWatch
  readonly #options: LateCheckOptions
  readonly #now: () => number
  #held: HeldRow[] = []
  #failures = 0
  #isRunning = false

  constructor(watch: LedgerWatch, options: LateCheckOptions) {
    this.#watch = watch
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  async check(marker: string, step: number): Promise<Evidence | undefined> {
    const isRead = await this.#wait()
    const found = isRead ? this.#watch.excerpt(marker, step) : undefined
    this.#watch.forget(marker)
    return found
  }

  #wait(): Promise<boolean> {
    const { end, after } = this.#options
    if (end.decided || this.#failures >= mostFailures) return Promise.resolve(false)
    return new Promise((resolve) => {
      const forget = end.whenDecided(() => resolve(false))
      this.#held.push({
        due: this.#now() + after,
        release: (isRead) => {
          forget()
          resolve(isRead)
        },
      })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    let ready = this.#now()
    while (this.#held.length > 0) {
      const { end } = this.#options
      const first = Math.min(...this.#held.map(({ due }) => due))
      await end.pause(Math.max(0, first + together - this.#now(), ready - this.#now()))
      const begun = this.#now()
      const isRead = !end.decided && (await this.#read())
      const done = this.#held.filter(({ due }) => due <= begun || end.decided || this.#failures >= mostFailures)
      this.#held = this.#held.filter((one) => !done.includes(one))
      // After a failed read, the rows wait for the next one.
      if (!isRead && !end.decided && this.#failures < mostFailures) this.#held.push(...done)
      else for (const one of done) one.release(isRead)
      ready = this.#now() + pause
    }
    this.#isRunning = false
  }

  async #read(): Promise<boolean> {
    try {
      await this.#watch.read()
      this.#failures = 0
      return true
    } catch (error) {
      // No error may lose the verdicts of completed rows.
      this.#failures += 1
      if (this.#failures === mostFailures)
        this.#options.failed?.(error instanceof Error ? error.message : String(error))
      return false
    }
  }
}
