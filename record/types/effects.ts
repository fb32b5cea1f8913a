/** What a run makes at its target and changes there: the same form for what is foreseen, and for what came about. */

/** What a run may be permitted to do, in the order in which it is told. `read`: requests that ask for no change at all. */
export const permissionNames = ['read', 'write', 'topology', 'upload', 'hazard'] as const
export type Permission = (typeof permissionNames)[number]

/** The words that permit these too: what a run may do is said as a whole. */
export function allowWords(allowed: Iterable<Permission>, more: readonly Permission[]): string {
  const all = new Set([...allowed, ...more])
  return `--allow ${permissionNames.filter((name) => name !== 'read' && all.has(name)).join(' ')}`
}

/** What is there behind the preparations and was not before. */
export interface Made {
  /** Ids; as far as they are known, where they are foreseen. */
  parties: string[]
  users: string[]
  /** What users may do who were there before, with parties by their fixtures. */
  rights: { user: string; rights: string[] }[]
  /** Contracts that rows need to be there, by their fixtures. */
  contracts: string[]
  /** Packages that are uploaded, by name and version. */
  packages: string[]
}

export interface Effects extends Made {
  /** Rows that change what is vetted, and put it back. */
  vetting: string[]
  /** Accepted submissions, those of fixtures included: each may commit a transaction. */
  transactions: number
}

/** Rows that did not run because the run may not do what they ask for; all of these together would let them. */
export interface RecordedRefusal {
  permissions: Permission[]
  rows: number
}
