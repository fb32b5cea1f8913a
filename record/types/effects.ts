/** Changes of a run to its target, forecast or real. */

/** Permissions of a run, in printed order. `read`: requests without a change. */
export const permissionNames = ['read', 'write', 'topology', 'upload', 'hazard'] as const
export type Permission = (typeof permissionNames)[number]

/** The complete option: earlier permissions and these. */
export function allowWords(allowed: Iterable<Permission>, more: readonly Permission[]): string {
  const all = new Set([...allowed, ...more])
  return `--allow ${permissionNames.filter((name) => name !== 'read' && all.has(name)).join(' ')}`
}

/** Created objects of the preparation. */
export interface Made {
  /** Ids; in a forecast, only the known ones. */
  parties: string[]
  users: string[]
  /** New rights of existing users; parties by fixture. */
  rights: { user: string; rights: string[] }[]
  /** By fixture. */
  contracts: string[]
  /** Uploaded packages: name and version. */
  packages: string[]
}

export interface Effects extends Made {
  /** Rows that change vetting and restore it. */
  vetting: string[]
  /** Accepted submissions, including fixtures; each may commit a transaction. */
  transactions: number
}

/** Rows without permission; all these permissions together enable them. */
export interface RecordedRefusal {
  permissions: Permission[]
  rows: number
}
