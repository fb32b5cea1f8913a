import type { Effects } from '../../record/types/effects.js'
import type { Evidence, RunRow } from '../../record/types/record.js'
import { isAcceptedSubmission, isSuccess } from '../judge/sent-steps.js'
import { requestsVetting } from '../target/dry-run.js'

export type SentRow = Pick<RunRow, 'id' | 'resolved'> & { evidence: readonly Evidence[] }

type Seen = Pick<Effects, 'vetting' | 'transactions'>

export class SeenChanges {
  readonly #vetting: string[] = []
  #transactions: number

  constructor(transactions: number) {
    this.#transactions = transactions
  }

  row({ id, resolved, evidence }: SentRow): void {
    const sent = evidence.flatMap((one) => {
      const step = resolved.steps[one.step]
      // A late-effects check is no request of the row.
      return step && one.role !== 'late-check' ? [{ step, one }] : []
    })
    this.#transactions += sent.filter(({ step, one }) => isAcceptedSubmission(step, one)).length
    if (sent.some(({ step, one }) => requestsVetting(step) && isSuccess(one))) this.#vetting.push(id)
  }

  found(): Seen {
    return { vetting: [...new Set(this.#vetting)].toSorted(), transactions: this.#transactions }
  }
}
