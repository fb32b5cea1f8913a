import type { Caller } from '../provision/caller.js'
import type { Discovery } from '../provision/discover.js'
import { TargetError } from '../target/target.js'
import { leftJournals } from './journal.js'
import { differenceInWords, readVetting, vettingDifferences } from './vetting-state.js'

/**
 * A sentence for each thing that journals below `results` tell of this participant and that is still otherwise than it was
 * found. Only looks.
 */
export async function listLeftoverState(
  results: string,
  { participantId, synchronizerIds }: Pick<Discovery, 'participantId' | 'synchronizerIds'>,
  call: Caller,
): Promise<string[]> {
  const told: string[] = []
  for (const journal of await leftJournals(results)) {
    if (participantId === undefined || journal.participantId !== participantId) continue
    const wanted = Object.fromEntries(Object.entries(journal.vetting).filter(([id]) => synchronizerIds.includes(id)))
    const whose = `the run ${journal.run} of ${journal.at.slice(0, 16).replace('T', ' ')} was ended while it changed what is vetted`
    try {
      const found = await readVetting(participantId, Object.keys(wanted), new Set(journal.watched), call)
      told.push(...vettingDifferences(wanted, found).map((one) => `${whose}: ${differenceInWords(one)}`))
    } catch (error) {
      if (!(error instanceof TargetError)) throw error
      told.push(`${whose}, and what is vetted now cannot be read: ${error.message}`)
    }
  }
  return told
}
