/** Submissions between being acquired and being committed or refused: their change ids are taken, what they consume or move is locked. */
import type { Submission } from '../transactions/transaction.js'

export class InFlight {
  readonly #byChangeId = new Map<string, Submission>()
  readonly #locked = new Set<string>()
  readonly #idOf: (submission: Submission) => string

  constructor(idOf: (submission: Submission) => string) {
    this.#idOf = idOf
  }

  /** The submission in flight that asks for the same change. */
  sameChange(submission: Submission): Submission | undefined {
    return this.#byChangeId.get(this.#idOf(submission))
  }

  /** Whether a submission in flight consumes or moves the contract. */
  isLocked(contractId: string): boolean {
    return this.#locked.has(contractId)
  }

  /** Puts a submission in flight; what is returned ends that. */
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
