/** Submissions in flight own their change ids and lock the contracts that they consume or reassign. */
import type { Submission } from '../transactions/transaction.js'

export class InFlight {
  readonly #byChangeId = new Map<string, Submission>()
  readonly #locked = new Set<string>()
  readonly #idOf: (submission: Submission) => string

  constructor(idOf: (submission: Submission) => string) {
    this.#idOf = idOf
  }

  sameChange(submission: Submission): Submission | undefined {
    return this.#byChangeId.get(this.#idOf(submission))
  }

  isLocked(contractId: string): boolean {
    return this.#locked.has(contractId)
  }

  /** Returns the function that ends the flight. */
  begin(submission: Submission, taken: ReadonlySet<string>): () => void {
    const change = this.#idOf(submission)
    this.#byChangeId.set(change, submission)
    for (const id of taken) this.#locked.add(id)
    return () => {
      this.#byChangeId.delete(change)
      for (const id of taken) this.#locked.delete(id)
    }
  }
}
