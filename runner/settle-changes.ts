/** What the rows of a run change is written down before, and looked after at its end. */
import { dirname } from 'node:path'
import { ChangeJournal, JournalError } from './changes/journal.js'
import { changesVetting } from './changes/vetting-changes.js'
import {
  differenceInWords,
  putVettingBack,
  readVetting,
  type VettingState,
  vettingDifferences,
} from './changes/vetting-state.js'
import type { ExaminedTarget } from './examine-target.js'
import type { Plan } from './plan/plan.js'
import type { Caller } from './provision/caller.js'
import { noModel, type RunOptions } from './run-options.js'
import type { StartedSession } from './start-session.js'
import { makerOf } from './target/cast.js'
import { TargetError } from './target/target.js'

/** What the rows of a run change: told before, put back behind each, and compared at the end with how it was found. */
export interface WatchedChanges {
  /** To be awaited before a row that changes something is sent. A sentence: why it must not be. */
  begin(row: string): Promise<string | undefined>
  /** `restored`: the row has put back what it changed. Otherwise that is done now, so that the rows behind it find what the run has found. */
  end(row: string, restored: boolean): Promise<void>
  /** Compares, puts back what rows have left, and closes the journal. Gives a sentence for each thing that was or is left. */
  settle(): Promise<Settled>
}

export interface Settled {
  repaired: string[]
  left: string[]
  /** The target did not tell how it is. */
  isUnknown?: true
}

/**
 * Nothing is written down where no row changes anything, nor where nobody else will ever see it: the embedded simulator ends
 * with its run. Where the target does not tell what it has vetted, or no journal can be kept, nothing may be changed.
 */
export async function watchChanges(
  { target, embedded, recordFile, model: { packages } = noModel }: RunOptions,
  { discovery: { participantId, synchronizerIds }, cast }: ExaminedTarget,
  { rows, alone }: Plan,
  { id, restoring }: StartedSession,
): Promise<WatchedChanges> {
  if (embedded || ![...rows, ...alone].some(({ row }) => changesVetting(row))) return nothingToWatch
  if (participantId === undefined)
    return nothingMayChange('nothing tells whose vetting it is, so that nobody could put it back')
  const call = restoring(makerOf(cast))
  const watched = new Set(packages.map((one) => one.id))
  const read = (): Promise<VettingState> => readVetting(participantId, synchronizerIds, watched, call)
  try {
    const vetting = await read()
    const at = new Date().toISOString()
    const header = { run: id, url: target.url, participantId, at, watched: [...watched], vetting }
    return new JournalledChanges(await ChangeJournal.create(dirname(recordFile), header), () =>
      putBack(vetting, read, call),
    )
  } catch (error) {
    if (error instanceof JournalError) return nothingMayChange(error.message)
    if (!(error instanceof TargetError)) throw error
    return nothingMayChange(`what is vetted cannot be read, so that nobody could put it back: ${error.message}`)
  }
}

const nothingToWatch: WatchedChanges = {
  begin: async () => undefined,
  end: async () => undefined,
  settle: async () => ({ repaired: [], left: [] }),
}

const nothingMayChange = (why: string): WatchedChanges => ({ ...nothingToWatch, begin: async () => why })

class JournalledChanges implements WatchedChanges {
  readonly #journal: ChangeJournal
  readonly #putBack: () => Promise<Settled>
  /** Rows whose changes could not be put back yet. */
  readonly #unrestored = new Set<string>()
  readonly #repaired: string[] = []
  #hasBegun = false

  constructor(journal: ChangeJournal, putBack: () => Promise<Settled>) {
    this.#journal = journal
    this.#putBack = putBack
  }

  async begin(row: string): Promise<string | undefined> {
    const left = this.#unrestored.size > 0 ? await this.#restore() : []
    if (left.length > 0) return `${[...this.#unrestored].join(', ')} left the target changed: ${left.join(' ')}`
    this.#hasBegun = true
    return this.#journal.changing(row).then(() => undefined, messageOf)
  }

  async end(row: string, restored: boolean): Promise<void> {
    if (restored) return this.#note(row)
    this.#unrestored.add(row)
    await this.#restore()
  }

  async settle(): Promise<Settled> {
    const { repaired, left, isUnknown } = await this.#putBack()
    // A target that tells nothing any more is as it was, where no row had been begun that changes it.
    const open = isUnknown && !this.#hasBegun ? [] : left
    await this.#journal.close(open.length === 0)
    return { repaired: [...this.#repaired, ...repaired], left: open }
  }

  /** Gives what is left. */
  async #restore(): Promise<string[]> {
    const rows = [...this.#unrestored]
    const { repaired, left } = await this.#putBack()
    if (left.length > 0) return left
    this.#repaired.push(...repaired)
    this.#unrestored.clear()
    for (const row of rows) await this.#note(row)
    return []
  }

  /** What is not noted is only looked after once more. */
  async #note(row: string): Promise<void> {
    await this.#journal.restored(row).catch(messageOf)
  }
}

function messageOf(error: unknown): string {
  if (error instanceof JournalError) return error.message
  throw error
}

async function putBack(wanted: VettingState, read: () => Promise<VettingState>, call: Caller): Promise<Settled> {
  try {
    const before = vettingDifferences(wanted, await read())
    if (before.length === 0) return { repaired: [], left: [] }
    await putVettingBack(before, call)
    const after = vettingDifferences(wanted, await read())
    const left = after.map((one) => `After its rows ${differenceInWords(one)}; it could not be put back.`)
    const repaired = before.map((one) => `After its rows ${differenceInWords(one)}; it was put back.`)
    return after.length > 0 ? { repaired: [], left } : { repaired, left: [] }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    const left = `Whether everything that the run changed is as it was cannot be told: ${error.message}. The next run, or conform clean, will look.`
    return { repaired: [], left: [left], isUnknown: true }
  }
}
