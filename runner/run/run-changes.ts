/** Changes are journalled before they are sent, and restored at the end. */
import { dirname } from 'node:path'
import { ChangeJournal, JournalError } from '../changes/journal.js'
import {
  changesVetting,
  JournalledChanges,
  nothingMayChange,
  nothingToWatch,
  type RowChanges,
} from '../changes/row-changes.js'
import { type RestoredVetting, readVetting, restoreVetting, type VettingState } from '../changes/vetting-state.js'
import { withdrawRights } from '../changes/withdraw-rights.js'
import type { Plan } from '../plan/plan.js'
import type { ExaminedTarget } from '../preflight/examine-target.js'
import type { RunOptions } from '../preflight/run-options.js'
import type { StartedSession } from '../preflight/start-session.js'
import type { GrantedRights } from '../provision/actors.js'
import type { Caller } from '../provision/caller.js'
import { provisionerOf } from '../target/actor-users.js'
import { failureOf, TargetError } from '../target/target.js'

interface Settled extends RestoredVetting {
  withdrawn: string[]
}

/** Milliseconds for all users. */
const longestWithdrawal = 20_000

/** No journal for the embedded simulator. */
export class RunChanges {
  readonly #options: RunOptions
  readonly #target: ExaminedTarget
  readonly #run: string
  readonly #call: Caller
  readonly #given: GrantedRights[] = []
  #file: Promise<ChangeJournal> | undefined
  #rows: RowChanges = nothingToWatch
  #settled: Promise<Settled> | undefined

  constructor(options: RunOptions, target: ExaminedTarget, { id, restoreAs }: StartedSession) {
    this.#options = options
    this.#target = target
    this.#run = id
    this.#call = restoreAs(provisionerOf(target.actorUsers))
  }

  get rows(): RowChanges {
    return this.#rows
  }

  /** Await before each grant. Throws `JournalError`. */
  readonly recordGrant = async (given: GrantedRights): Promise<void> => {
    if (!this.#options.embedded) await (await this.#journal()).recordGrant(given)
    this.#given.push(given)
  }

  /** Await before the rows. */
  async watchVetting({ rows, alone }: Plan): Promise<void> {
    const { embedded } = this.#options
    if (embedded || ![...rows, ...alone].some(({ row }) => changesVetting(row))) return
    const { participantId } = this.#target.discovery
    this.#rows =
      participantId === undefined
        ? nothingMayChange({ code: 'vetting-unrestorable' })
        : await this.#watch(participantId)
  }

  async #watch(participantId: string): Promise<RowChanges> {
    const { synchronizerIds } = this.#target.discovery
    const watched = new Set((this.#options.model ?? []).map((one) => one.id))
    const read = (): Promise<VettingState> => readVetting(participantId, synchronizerIds, watched, this.#call)
    try {
      const vetting = await read()
      const journal = await this.#journal()
      await journal.recordVetting({ watched: [...watched], vetting })
      return new JournalledChanges(journal, () => restoreVetting(vetting, read, this.#call))
    } catch (error) {
      if (error instanceof JournalError) return nothingMayChange({ code: 'journal-unwritable', message: error.message })
      if (!(error instanceof TargetError)) throw error
      return nothingMayChange({ code: 'vetting-unrestorable', because: failureOf(error) })
    }
  }

  /** Further calls return the first result. */
  settle(): Promise<Settled> {
    this.#settled ??= this.#settle()
    return this.#settled
  }

  async #settle(): Promise<Settled> {
    const { repaired, left } = await this.#rows.settle()
    const limit = Math.min(longestWithdrawal, this.#options.patience ?? longestWithdrawal)
    const { keepUsers = false } = this.#options
    const users = keepUsers ? { left: [], withdrawn: [] } : await withdrawAll(this.#given, this.#call, limit)
    const settled = { repaired, left: [...left, ...users.left], withdrawn: users.withdrawn }
    // Without a journal, nothing was changed.
    const journal = await this.#file?.catch(() => undefined)
    const isSettled = settled.left.length === 0
    if (isSettled && keepUsers && this.#given.length > 0) await journal?.keep()
    else await journal?.close(isSettled)
    return settled
  }

  #journal(): Promise<ChangeJournal> {
    const { recordFile, target } = this.#options
    const { participantId } = this.#target.discovery
    this.#file ??= ChangeJournal.create(dirname(recordFile), {
      run: this.#run,
      url: target.url,
      ...(participantId !== undefined && { participantId }),
      at: new Date().toISOString(),
    })
    return this.#file
  }
}

async function withdrawAll(
  given: readonly GrantedRights[],
  call: Caller,
  limit: number,
): Promise<{ left: string[]; withdrawn: string[] }> {
  const open = new Map<GrantedRights, string>(given.map((one) => [one, 'the time limit is reached']))
  const withdrawn: string[] = []
  let isOver = false
  const work = async (): Promise<void> => {
    for (const one of given) {
      try {
        if (await withdrawRights(one, call, () => !isOver)) withdrawn.push(one.user)
        open.delete(one)
      } catch (error) {
        if (!(error instanceof TargetError)) throw error
        open.set(one, error.message)
      }
    }
  }
  await withinTime(work(), limit)
  isOver = true
  const left = [...open].map(([{ user, isMade }, why]) => {
    const what = isMade
      ? `The user ${user}, which the run created, may still be active or have rights`
      : `The user ${user} may still have rights that the run granted`
    return `${what}: ${why}. The next run, or conform clean, tries again.`
  })
  // The last request may still be in flight, and its end would add a user of "left".
  return { left, withdrawn: [...withdrawn] }
}

async function withinTime(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, over]).finally(() => clearTimeout(timer))
}
