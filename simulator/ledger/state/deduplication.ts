import type { Submission, Transaction } from '../transactions/transaction.js'

export type DeduplicationPeriod = { kind: 'duration'; nanos: bigint } | { kind: 'offset'; offset: bigint }

/** The transaction that was accepted last under its change id. */
export type AcceptedChange = Transaction

/** The change id: user, *set* of acting parties, command id. Nothing else tells two submissions apart. */
export function changeId({ userId, actAs, commandId }: Submission): string {
  // Joined, so that it is one piece of memory: there are many.
  return [userId, commandId, ...new Set(actAs.toSorted())].map((text) => JSON.stringify(text)).join()
}

/** A change id as error contexts show it. */
export const printChangeId = ({ userId, actAs, commandId }: Submission): string =>
  `ChangeId(${userId},${commandId},Set(${[...new Set(actAs)].join(', ')}))`

/** Remembers accepted change ids. Refused submissions never get here, so they never block their change id. */
export class Deduplication {
  readonly #accepted: Map<string, AcceptedChange>
  readonly #idOf: (submission: Submission) => string

  constructor(accepted: Map<string, AcceptedChange>, idOf: (submission: Submission) => string) {
    this.#accepted = accepted
    this.#idOf = idOf
  }

  /** The accepted submission of which this one is a duplicate within the period; no period: the longest one, i.e. ever. */
  duplicateOf(
    submission: Submission,
    period: DeduplicationPeriod | undefined,
    now: bigint,
  ): AcceptedChange | undefined {
    const earlier = this.#accepted.get(this.#idOf(submission))
    if (!earlier) return undefined
    if (period?.kind === 'duration' && earlier.recordTime < now - period.nanos / 1000n) return undefined
    if (period?.kind === 'offset' && BigInt(earlier.offset) <= period.offset) return undefined
    return earlier
  }

  /** The offset after which an equal change counts as a duplicate of an accepted one. */
  offsetBefore(submission: Submission): number {
    const earlier = this.#accepted.get(this.#idOf(submission))
    return earlier ? earlier.offset - 1 : 0
  }

  accept(transaction: Transaction): void {
    this.#accepted.set(this.#idOf(transaction.submission), transaction)
  }
}
