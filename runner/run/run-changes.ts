/** What a run changes is written down before, and looked after at its end. */
import { dirname } from 'node:path'
import { ChangeJournal, JournalError } from '../changes/journal.js'
import { putBack, type RestoredVetting } from '../changes/put-back.js'
import { JournalledChanges, nothingMayChange, nothingToWatch, type RowChanges } from '../changes/row-changes.js'
import { changesVetting } from '../changes/vetting-changes.js'
import { readVetting, type VettingState } from '../changes/vetting-state.js'
import { withdrawRights } from '../changes/withdraw-rights.js'
import type { Plan } from '../plan/plan.js'
import type { ExaminedTarget } from '../preflight/examine-target.js'
import type { RunOptions } from '../preflight/run-options.js'
import type { StartedSession } from '../preflight/start-session.js'
import type { GrantedRights } from '../provision/actors.js'
import type { Caller } from '../provision/caller.js'
import { provisionerOf } from '../target/actor-users.js'
import { TargetError } from '../target/target.js'

/** A sentence for each thing that was or is left, and the users from whom everything is taken back that they were given. */
export interface Settled extends RestoredVetting {
  withdrawn: string[]
}

/** Milliseconds at most for all users together: whoever ends a run waits for it. */
const longestWithdrawal = 20_000

/**
 * Nothing is written down where nobody else will ever see what is changed: the embedded simulator ends with its run. Otherwise
 * there is a journal as soon as anything is about to be changed, for later runs.
 */
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

  /** What rows tell before they change anything, and behind it. */
  get rows(): RowChanges {
    return this.#rows
  }

  /** To be awaited before a user is made or gets rights. Throws `JournalError`. */
  readonly recordGrant = async (given: GrantedRights): Promise<void> => {
    if (!this.#options.embedded) await (await this.#journal()).recordGrant(given)
    this.#given.push(given)
  }

  /** To be awaited before the rows are sent. Where the target does not tell what it has vetted, or no journal can be kept, they may not change it. */
  async watchVetting({ rows, alone }: Plan): Promise<void> {
    const { embedded } = this.#options
    if (embedded || ![...rows, ...alone].some(({ row }) => changesVetting(row))) return
    const { participantId } = this.#target.discovery
    this.#rows =
      participantId === undefined
        ? nothingMayChange('nothing tells whose vetting it is, so that nobody could put it back')
        : await this.#watch(participantId)
  }

  async #watch(participantId: string): Promise<RowChanges> {
    const { synchronizerIds } = this.#target.discovery
    const watched = new Set((this.#options.model ?? []).map((one) => one.id))
    const read = (): Promise<VettingState> => readVetting(participantId, synchronizerIds, watched, this.#call)
    try {
      const vetting = await read()
      const journal = await this.#journal()
      await journal.found({ watched: [...watched], vetting })
      return new JournalledChanges(journal, () => putBack(vetting, read, this.#call))
    } catch (error) {
      if (error instanceof JournalError) return nothingMayChange(error.message)
      if (!(error instanceof TargetError)) throw error
      return nothingMayChange(`what is vetted cannot be read, so that nobody could put it back: ${error.message}`)
    }
  }

  /** Compares, puts back what rows have left, takes back what users were given, and closes the journal. Only the first call does anything. */
  settle(): Promise<Settled> {
    this.#settled ??= this.#settle()
    return this.#settled
  }

  async #settle(): Promise<Settled> {
    const { repaired, left } = await this.#rows.settle()
    const limit = Math.min(longestWithdrawal, this.#options.patience ?? longestWithdrawal)
    const users = await withdrawAll(this.#given, this.#call, limit)
    const settled = { repaired, left: [...left, ...users.left], withdrawn: users.withdrawn }
    // One that could not be made has kept everything from being changed.
    const journal = await this.#file?.catch(() => undefined)
    await journal?.close(settled.left.length === 0)
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
): Promise<Pick<Settled, 'left' | 'withdrawn'>> {
  const open = new Map<GrantedRights, string>(given.map((one) => [one, 'there was no time left for it']))
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
      ? `The user ${user}, whom the run made, may still be active or have rights`
      : `The user ${user} may still have rights that the run gave`
    return `${what}: ${why}. The next run, or conform clean, will try again.`
  })
  return { left, withdrawn: [...withdrawn] }
}

/** Ends with the work, or without it once the milliseconds are over. */
async function withinTime(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, over]).finally(() => clearTimeout(timer))
}
