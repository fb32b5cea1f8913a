import type { RunFooter, RunHeader } from '../../record/types/record.js'
import { count } from '../wording/words.js'

export interface RemainingItem {
  /** Kind with its number, as `9 parties`. */
  what: string
  names: string[]
}

/** Empty for the embedded simulator, which has ended. */
export function remainingState({ header, footer }: { header: RunHeader; footer?: RunFooter }): RemainingItem[] {
  const { made, target, options } = header
  if (target.embedded || !made) return []
  const withdrawn = new Set(footer?.withdrawn)
  const [gone, open] = [
    made.users.filter((user) => withdrawn.has(user)),
    made.users.filter((user) => !withdrawn.has(user)),
  ]
  const rights = made.rights.map(({ user }) => user).filter((user) => !withdrawn.has(user))
  const { transactions = 0 } = footer ?? {}
  const isKept = options?.keepUsers === true && footer !== undefined
  const kinds: [names: readonly string[], one: string, several: string][] = [
    [made.parties, 'party', 'parties'],
    [made.contracts, 'fixture contract', 'fixture contracts'],
    [made.packages, 'package', 'packages'],
    [gone, 'deactivated user without rights', 'deactivated users without rights'],
    isKept
      ? [open, 'active user (--keep-users)', 'active users (--keep-users; conform clean deactivates them)']
      : [open, 'user that may still be active', 'users that may still be active'],
    isKept
      ? [rights, 'existing user with rights from the run', 'existing users with rights from the run']
      : [rights, 'user that may still have rights from the run', 'users that may still have rights from the run'],
  ]
  const named = kinds.flatMap(([names, one, several]): RemainingItem[] =>
    names.length === 0 ? [] : [{ what: count(names.length, one, several), names: [...names] }],
  )
  const committed = { what: `the transactions of ${count(transactions, 'accepted submission')}`, names: [] }
  return transactions === 0 ? named : [...named, committed]
}

export const perShardNote = ({ merged }: RunHeader): string =>
  merged === undefined ? '' : ` (of each of ${merged.length} merged runs)`

export function remainingStateText(run: Parameters<typeof remainingState>[0]): string {
  const all = remainingState(run).map(({ what }) => what)
  return all.length === 0 ? '' : `Remains on the participant${perShardNote(run.header)}: ${all.join(', ')}.`
}
