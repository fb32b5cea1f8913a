import type { RunFooter, RunHeader } from '../../record/types/record.js'
import { count } from '../wording/words.js'

/** One kind of what a run has left at its target. */
export interface RemainingItem {
  /** With its number, as `9 parties`. */
  what: string
  /** As far as they have names. */
  names: string[]
}

/** What stays at the target, by what the record says was made and taken back. The embedded simulator has ended. */
export function remainingState({ header, footer }: { header: RunHeader; footer?: RunFooter }): RemainingItem[] {
  const { made, target } = header
  if (target.embedded || !made) return []
  const withdrawn = new Set(footer?.withdrawn)
  const [gone, open] = [
    made.users.filter((user) => withdrawn.has(user)),
    made.users.filter((user) => !withdrawn.has(user)),
  ]
  const rights = made.rights.map(({ user }) => user).filter((user) => !withdrawn.has(user))
  const { transactions = 0 } = footer ?? {}
  const kinds: [names: readonly string[], one: string, several: string][] = [
    [made.parties, 'party', 'parties'],
    [made.contracts, 'contract that rows needed', 'contracts that rows needed'],
    [made.packages, 'package', 'packages'],
    [gone, 'deactivated user without rights', 'deactivated users without rights'],
    [open, 'user who may still be active', 'users who may still be active'],
    [rights, 'user who may still have rights that the run gave', 'users who may still have rights that the run gave'],
  ]
  const named = kinds.flatMap(([names, one, several]): RemainingItem[] =>
    names.length === 0 ? [] : [{ what: count(names.length, one, several), names: [...names] }],
  )
  const committed = { what: `what ${count(transactions, 'accepted submission')} committed`, names: [] }
  return transactions === 0 ? named : [...named, committed]
}

/** Parts of a run that was put together know nothing of each other: what they need, each has made for itself. */
export const perShardNote = ({ merged }: Pick<RunHeader, 'merged'>): string =>
  merged === undefined ? '' : `, where each of ${merged.length} parts made its own`

/** Empty where nothing stays. */
export function remainingStateText(run: Parameters<typeof remainingState>[0]): string {
  const all = remainingState(run).map(({ what }) => what)
  return all.length === 0 ? '' : `Stays at the target${perShardNote(run.header)}: ${all.join(', ')}.`
}
