/** A row that was sent several times, as one row of the record. */
import type { RunRow } from '../../record/types/record.js'
import { type Verdict, verdicts } from '../../record/types/verdict.js'

/**
 * The time that was worst stands for all, with how often the row came to each verdict. Of the other times nothing is held: answers
 * may be long, and times many.
 */
export class RepeatedRow {
  #worst: RunRow | undefined
  readonly #counts = new Map<Verdict, number>()

  add(row: RunRow): void {
    this.#counts.set(row.verdict, (this.#counts.get(row.verdict) ?? 0) + 1)
    if (!this.#worst || badness(row) < badness(this.#worst)) this.#worst = row
  }

  /** Undefined before there was any. */
  get row(): RunRow | undefined {
    const counts = this.#counts
    const times = [...counts.values()].reduce((sum, count) => sum + count, 0)
    if (!this.#worst || times === 1) return this.#worst
    return {
      ...this.#worst,
      repeated: Object.fromEntries(verdicts.flatMap((one) => (counts.has(one) ? [[one, counts.get(one)]] : []))),
    }
  }
}

const badness = ({ verdict }: RunRow): number => verdicts.indexOf(verdict)
