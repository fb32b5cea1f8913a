import type { RunRow } from '../../record/types/record.js'
import { type Verdict, verdicts } from '../../record/types/verdict.js'

export class RepeatedRow {
  #worst: RunRow | undefined
  readonly #counts = new Map<Verdict, number>()

  add(row: RunRow): void {
    this.#counts.set(row.verdict, (this.#counts.get(row.verdict) ?? 0) + 1)
    if (!this.#worst || rankOf(row) < rankOf(this.#worst)) this.#worst = row
  }

  get row(): RunRow | undefined {
    const counts = this.#counts
    const runs = [...counts.values()].reduce((sum, count) => sum + count, 0)
    if (!this.#worst || runs === 1) return this.#worst
    return {
      ...this.#worst,
      repeated: Object.fromEntries(verdicts.flatMap((one) => (counts.has(one) ? [[one, counts.get(one)]] : []))),
    }
  }
}

const rankOf = ({ verdict }: RunRow): number => verdicts.indexOf(verdict)
