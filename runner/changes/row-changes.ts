import type { Reason } from '../../record/types/reason.js'
import type { Evidence } from '../../record/types/record.js'
import type { Impact, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { isAcceptedSubmission, isRejection, isSuccess } from '../judge/sent-steps.js'
import { requestsVetting } from '../target/permissions.js'
import { type ChangeJournal, JournalError } from './journal.js'
import type { RestoredVetting } from './vetting-state.js'

export interface RowChanges {
  /** Returns why the row must not be sent. */
  begin(row: string): Promise<Reason | undefined>
  end(row: string, restored: boolean): Promise<void>
  settle(): Promise<RestoredVetting>
}

export const nothingToWatch: RowChanges = {
  begin: async () => undefined,
  end: async () => undefined,
  settle: async () => ({ repaired: [], left: [] }),
}

export const nothingMayChange = (why: Reason): RowChanges => ({ ...nothingToWatch, begin: async () => why })

export class JournalledChanges implements RowChanges {
  readonly #journal: ChangeJournal
  readonly #restoreVetting: () => Promise<RestoredVetting>
  readonly #unrestored = new Set<string>()
  readonly #repaired: string[] = []
  #hasBegun = false

  constructor(journal: ChangeJournal, restoreVetting: () => Promise<RestoredVetting>) {
    this.#journal = journal
    this.#restoreVetting = restoreVetting
  }

  async begin(row: string): Promise<Reason | undefined> {
    const left = this.#unrestored.size > 0 ? await this.#restore() : []
    if (left.length > 0) return { code: 'vetting-not-restored', rows: [...this.#unrestored] }
    this.#hasBegun = true
    return this.#journal.recordChange(row).then(() => undefined, unwritable)
  }

  async end(row: string, restored: boolean): Promise<void> {
    if (restored) return this.#recordRestore(row)
    this.#unrestored.add(row)
    await this.#restore()
  }

  async settle(): Promise<RestoredVetting> {
    const { repaired, left, isUnknown } = await this.#restoreVetting()
    // If no row has begun, an unknown state is the initial one.
    return { repaired: [...this.#repaired, ...repaired], left: isUnknown && !this.#hasBegun ? [] : left }
  }

  async #restore(): Promise<string[]> {
    const rows = [...this.#unrestored]
    const { repaired, left } = await this.#restoreVetting()
    if (left.length > 0) return left
    this.#repaired.push(...repaired)
    this.#unrestored.clear()
    for (const row of rows) await this.#recordRestore(row)
    return []
  }

  /** After a failed write, the next run checks again. */
  async #recordRestore(row: string): Promise<void> {
    await this.#journal.recordRestore(row).catch(unwritable)
  }
}

function unwritable(error: unknown): Reason {
  if (error instanceof JournalError) return { code: 'journal-unwritable', message: error.message }
  throw error
}

interface ChangingRow {
  impact: Impact
  steps: readonly ResolvedStep[]
}

/** Dry runs count as no change. */
export const changesVetting = ({ impact, steps }: ChangingRow): boolean =>
  impact === 'topology' || steps.some(requestsVetting)

export function hasRestored({ steps }: ChangingRow, evidence: readonly Evidence[]): boolean {
  const restores = steps.flatMap(({ role }, index) => (role === 'restore' ? [index] : []))
  if (restores.length === 0) return evidence.every((one) => isRejection(one) || !mayVet(steps[one.step]))
  return restores.every((index) => {
    const own = evidence.filter(({ step }) => step === index)
    return own.length > 0 && own.every(isSuccess)
  })
}

const mayVet = (step: ResolvedStep | undefined): boolean => step !== undefined && requestsVetting(step)

export interface SentRow {
  id: string
  resolved: ResolvedRow
  evidence: readonly Evidence[]
}

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

  /** The control after the last row was committed. */
  control(): void {
    this.#transactions += 1
  }

  found(): { vetting: string[]; transactions: number } {
    return { vetting: [...new Set(this.#vetting)].toSorted(), transactions: this.#transactions }
  }
}
