import type { RunHeader, RunRecord } from '../../record/types/record.js'
import { count } from '../wording/words.js'

export interface RemainingItem {
  /** Kind with its number, as `9 parties`. */
  what: string
  names: string[]
}

/** Empty for the embedded simulator, which has ended. */
export function remainingState(record: RunRecord): RemainingItem[] {
  const { header, footer } = record
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
  const unreported = unreportedTransactions(record)
  const committed = [
    ...(transactions > 0 ? [`the transactions of ${count(transactions, 'accepted submission')}`] : []),
    ...(unreported > 0
      ? [count(unreported, 'transaction that no answer reported', 'transactions that no answer reported')]
      : []),
  ]
  return [...named, ...committed.map((what) => ({ what, names: [] }))]
}

/** Of rejected requests, for example. Only their number: a finding about several names the first. */
function unreportedTransactions({ rows, oracles }: RunRecord): number {
  const judgements = rows.flatMap((row) => row.judgements.filter(({ check }) => check === 'effects'))
  const reasons = (oracles?.findings ?? []).flatMap(({ kind, reason }) => (kind === 'contradicted' ? [reason] : []))
  const named = new Set([
    ...judgements.flatMap(({ found: [_status, ...updates] }) => updates),
    ...reasons.flatMap((reason) => (reason.code === 'rejected-but-committed' ? reason.updates : [])),
  ])
  const unexplained = reasons.map((reason) => (reason.code === 'updates-unexplained' ? 1 + (reason.more ?? 0) : 0))
  return unexplained.reduce((sum, some) => sum + some, named.size)
}

export const perShardNote = ({ merged }: RunHeader): string =>
  merged === undefined ? '' : ` (of each of ${merged.length} merged runs)`

export function remainingStateText(run: RunRecord): string {
  const all = remainingState(run).map(({ what }) => what)
  return all.length === 0 ? '' : `Remains on the participant${perShardNote(run.header)}: ${all.join(', ')}.`
}
