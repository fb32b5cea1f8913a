/** What the rows of a run change is written down before, and looked after at its end. */
import { dirname } from 'node:path'
import { ChangeJournal } from './changes/journal.js'
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

/** How the target was found, and the journal that says so to later runs. */
export interface WatchedChanges {
  /** A text says why nothing may be changed. Undefined: nothing need be written down. */
  journal: ChangeJournal | string | undefined
  /** Compares, puts back what rows have left, and closes the journal. Gives a sentence for each thing that was or is left. */
  settle(): Promise<Settled>
}

export interface Settled {
  repaired: string[]
  left: string[]
}

/**
 * Nothing is written down where no row changes anything, nor where nobody else will ever see it: the embedded simulator ends
 * with its run. Where the target does not tell what it has vetted, nothing may be changed. Throws `JournalError`.
 */
export async function watchChanges(
  { target, embedded, recordFile, model: { packages } = noModel }: RunOptions,
  { discovery: { participantId, synchronizerIds }, cast }: ExaminedTarget,
  { rows, alone }: Plan,
  { id, as }: StartedSession,
): Promise<WatchedChanges> {
  if (embedded || ![...rows, ...alone].some(({ row }) => changesVetting(row))) return nothingToWatch
  if (participantId === undefined)
    return { ...nothingToWatch, journal: 'nothing tells whose vetting it is, so that nobody could put it back' }
  const call = as(makerOf(cast))
  const watched = new Set(packages.map((one) => one.id))
  const read = (): Promise<VettingState> => readVetting(participantId, synchronizerIds, watched, call)
  const vetting = await read().catch((error: unknown) => {
    if (error instanceof TargetError) return error
    throw error
  })
  if (vetting instanceof TargetError) {
    return {
      ...nothingToWatch,
      journal: `what is vetted cannot be read, so that nobody could put it back: ${vetting.message}`,
    }
  }
  const header = {
    run: id,
    url: target.url,
    participantId,
    at: new Date().toISOString(),
    watched: [...watched],
    vetting,
  }
  const journal = await ChangeJournal.create(dirname(recordFile), header)
  const settle = async (): Promise<Settled> => {
    const settled = await putBack(vetting, read, call)
    await journal.close(settled.left.length === 0)
    return settled
  }
  return { journal, settle }
}

const nothingToWatch: WatchedChanges = { journal: undefined, settle: async () => ({ repaired: [], left: [] }) }

async function putBack(wanted: VettingState, read: () => Promise<VettingState>, call: Caller): Promise<Settled> {
  try {
    const before = vettingDifferences(wanted, await read())
    if (before.length === 0) return { repaired: [], left: [] }
    await putVettingBack(before, call)
    const after = vettingDifferences(wanted, await read())
    const left = after.map((one) => `After the run ${differenceInWords(one)}; it could not be put back.`)
    const repaired = before.map((one) => `After its rows ${differenceInWords(one)}; it was put back.`)
    return after.length > 0 ? { repaired: [], left } : { repaired, left: [] }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    const left = `Whether everything that the run changed is as it was cannot be told: ${error.message}. The next run, or conform clean, will look.`
    return { repaired: [], left: [left] }
  }
}
