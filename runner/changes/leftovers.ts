/** What earlier runs left changed at a participant because they were ended: found in their journals, and put back. */

import type { Caller } from '../provision/caller.js'
import type { Discovery } from '../provision/discover.js'
import { TargetError } from '../target/target.js'
import { type LeftJournal, leftJournals, removeJournal } from './journal.js'
import {
  differenceInWords,
  putVettingBack,
  readVetting,
  type VettingState,
  vettingDifferences,
} from './vetting-state.js'

/** What became of the journals; each text is a sentence for people. */
export interface Repaired {
  /** What had been left, and is put back now. */
  repaired: string[]
  /** What is still left, and why. */
  left: string[]
}

/**
 * Puts back what the journals below `results` say of this participant, and removes them. The journal of another participant
 * stays, and so does one whose changes cannot be put back. Packages that no journal watches are nobody's business here.
 */
export async function repairLeftovers(
  results: string | undefined,
  { participantId, synchronizerIds }: Pick<Discovery, 'participantId' | 'synchronizerIds'>,
  call: Caller,
): Promise<Repaired> {
  const repaired: string[] = []
  const left: string[] = []
  for (const journal of results === undefined ? [] : await leftJournals(results)) {
    if (journal.participantId !== participantId) continue
    try {
      repaired.push(...(await repair(journal, synchronizerIds, call)))
      await removeJournal(journal)
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      left.push(
        `${toldOf(journal)} left packages otherwise vetted than it had found them, and that could not be put back: ${error.message}`,
      )
    }
  }
  return { repaired, left }
}

async function repair(journal: LeftJournal, connected: readonly string[], call: Caller): Promise<string[]> {
  const wanted = Object.fromEntries(Object.entries(journal.vetting).filter(([id]) => connected.includes(id)))
  const before = await differencesNow(journal, wanted, call)
  if (before.length === 0) return []
  await putVettingBack(before, call)
  const after = await differencesNow(journal, wanted, call)
  if (after.length > 0) throw new TargetError(after.map(differenceInWords).join('; '))
  return before.map((one) => `${toldOf(journal)} was ended in between: ${differenceInWords(one)}. It is put back now.`)
}

async function differencesNow({ participantId, watched }: LeftJournal, wanted: VettingState, call: Caller) {
  const found = await readVetting(participantId, Object.keys(wanted), new Set(watched), call)
  return vettingDifferences(wanted, found)
}

const toldOf = ({ run, at }: LeftJournal): string => `the run ${run} of ${at.slice(0, 16).replace('T', ' ')}`
