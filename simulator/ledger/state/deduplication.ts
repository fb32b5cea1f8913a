import type { Submission, Transaction } from '../transactions/transaction.js'

export type DeduplicationPeriod = { kind: 'duration'; nanos: bigint } | { kind: 'offset'; offset: bigint }

/** User, set of acting parties, and command id. */
export function changeId({ userId, actAs, commandId }: Submission): string {
  // `join` makes one flat string, which saves memory.
  return [userId, commandId, ...new Set(actAs.toSorted())].map((text) => JSON.stringify(text)).join()
}

/** In the format of error contexts. */
export const printChangeId = ({ userId, actAs, commandId }: Submission): string =>
  `ChangeId(${userId},${commandId},Set(${[...new Set(actAs)].join(', ')}))`

/** Nanoseconds as Java prints them: `PT168H`, `PT1M0.5S`. */
export function printDuration(nanos: bigint): string {
  const whole = nanos / 1_000_000_000n
  const [hours, minutes, seconds] = [whole / 3600n, (whole / 60n) % 60n, whole % 60n]
  const fraction = String(nanos % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const parts = [
    hours > 0n && `${hours}H`,
    minutes > 0n && `${minutes}M`,
    (seconds > 0n || fraction !== '') && `${seconds}${fraction && `.${fraction}`}S`,
  ]
  return `PT${parts.filter(Boolean).join('') || '0S'}`
}

/** Without a period, each earlier equal change counts. */
export function isInPeriod(earlier: Transaction, period: DeduplicationPeriod | undefined, now: bigint): boolean {
  if (period?.kind === 'duration') return earlier.recordTime >= now - period.nanos / 1000n
  return period === undefined || BigInt(earlier.offset) > period.offset
}

/** Submissions in flight own their change ids and lock the contracts that they consume or reassign. */
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
