/** What rows change: told before it is sent, and put back behind each row, so that the rows behind it find what the run has found. */
import { type ChangeJournal, JournalError } from './journal.js'
import type { RestoredVetting } from './put-back.js'

export interface RowChanges {
  /** To be awaited before a row that changes something is sent. A sentence: why it must not be. */
  begin(row: string): Promise<string | undefined>
  /** `restored`: the row has put back what it changed. Otherwise that is done now. */
  end(row: string, restored: boolean): Promise<void>
  /** Compares once more, and puts back what rows have left. */
  settle(): Promise<RestoredVetting>
}

export const nothingToWatch: RowChanges = {
  begin: async () => undefined,
  end: async () => undefined,
  settle: async () => ({ repaired: [], left: [] }),
}

export const nothingMayChange = (why: string): RowChanges => ({ ...nothingToWatch, begin: async () => why })

export class JournalledChanges implements RowChanges {
  readonly #journal: ChangeJournal
  readonly #putBack: () => Promise<RestoredVetting>
  /** Rows whose changes could not be put back yet. */
  readonly #unrestored = new Set<string>()
  readonly #repaired: string[] = []
  #hasBegun = false

  constructor(journal: ChangeJournal, putBack: () => Promise<RestoredVetting>) {
    this.#journal = journal
    this.#putBack = putBack
  }

  async begin(row: string): Promise<string | undefined> {
    const left = this.#unrestored.size > 0 ? await this.#restore() : []
    if (left.length > 0) return `${[...this.#unrestored].join(', ')} left the target changed: ${left.join(' ')}`
    this.#hasBegun = true
    return this.#journal.changing(row).then(() => undefined, messageOf)
  }

  async end(row: string, restored: boolean): Promise<void> {
    if (restored) return this.#note(row)
    this.#unrestored.add(row)
    await this.#restore()
  }

  async settle(): Promise<RestoredVetting> {
    const { repaired, left, isUnknown } = await this.#putBack()
    // A target that tells nothing any more is as it was, where no row had been begun that changes it.
    return { repaired: [...this.#repaired, ...repaired], left: isUnknown && !this.#hasBegun ? [] : left }
  }

  /** Gives what is left. */
  async #restore(): Promise<string[]> {
    const rows = [...this.#unrestored]
    const { repaired, left } = await this.#putBack()
    if (left.length > 0) return left
    this.#repaired.push(...repaired)
    this.#unrestored.clear()
    for (const row of rows) await this.#note(row)
    return []
  }

  /** What is not noted is only looked after once more. */
  async #note(row: string): Promise<void> {
    await this.#journal.restored(row).catch(messageOf)
  }
}

function messageOf(error: unknown): string {
  if (error instanceof JournalError) return error.message
  throw error
}
