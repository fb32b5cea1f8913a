import type { RowLine, RunFooter } from './record.js'
import { countVerdicts, nonConforming, type Verdict } from './verdict.js'

export type TallyResult = Pick<RunFooter, 'executed' | 'counts' | 'complete' | 'conforming'>

/** Whether the request that the row is about went out; in a row that fell with what it needs first, it did not. */
function wasExecuted(row: Pick<RowLine, 'evidence'>): boolean {
  return row.evidence.some(({ role, problem }) => role === 'act' && problem?.code !== 'not-sent')
}

/** Counts rows one by one and draws the conclusion that the footer states; writer and reader of a record share it. */
export class Tally {
  readonly #ids = new Set<string>()
  readonly #verdicts: Verdict[] = []
  #executed = 0
  /** Ids that were counted more than once. */
  readonly duplicates = new Set<string>()

  add(row: Pick<RowLine, 'id' | 'verdict' | 'evidence'>): void {
    if (this.#ids.has(row.id)) this.duplicates.add(row.id)
    this.#ids.add(row.id)
    this.#verdicts.push(row.verdict)
    if (wasExecuted(row)) this.#executed += 1
  }

  /** A run in which nothing was judged is never conforming, however few rows failed. */
  result(planned: number): TallyResult {
    const counts = countVerdicts(this.#verdicts)
    const rows = this.#verdicts.length
    const complete = rows === planned && this.duplicates.size === 0
    const judgedSomething = rows > counts['not-applicable']
    const conforming = complete && judgedSomething && nonConforming.every((verdict) => counts[verdict] === 0)
    return { executed: this.#executed, counts, complete, conforming }
  }
}
