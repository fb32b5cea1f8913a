import type { Caller } from '../provision/caller.js'
import { TargetError } from '../target/target.js'
import { applyVetting, differenceInWords, type VettingState, vettingDifferences } from './vetting-state.js'

/** A sentence for each thing that was put back, and for each that is left. */
export interface RestoredVetting {
  repaired: string[]
  left: string[]
  /** The target did not tell how it is. */
  isUnknown?: true
}

/** Compares what is vetted with what it should be, and puts back what differs. */
export async function putBack(
  wanted: VettingState,
  read: () => Promise<VettingState>,
  call: Caller,
): Promise<RestoredVetting> {
  try {
    const before = vettingDifferences(wanted, await read())
    if (before.length === 0) return { repaired: [], left: [] }
    await applyVetting(before, call)
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
