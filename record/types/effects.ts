/** In printed order. `read`: requests without a change. */
export const permissionNames = ['read', 'write', 'topology', 'upload', 'hazard'] as const
export type Permission = (typeof permissionNames)[number]

export function allowWords(allowed: Iterable<Permission>, more: readonly Permission[]): string {
  const all = new Set([...allowed, ...more])
  return `--allow ${permissionNames.filter((name) => name !== 'read' && all.has(name)).join(' ')}`
}

/** `a credential for alice and bob`, and the permissions that the rows need as well. */
export function credentialWords(
  {
    credentials,
    permissions = [],
  }: { credentials: readonly string[]; permissions?: readonly Permission[] | undefined },
  allowed: Iterable<Permission>,
): string {
  const also = permissions.length === 0 ? '' : `, together with ${allowWords(allowed, permissions)}`
  return `a credential for ${credentials.join(' and ')}${also}`
}

export interface Made {
  /** Ids; a forecast has only the known ones. */
  parties: string[]
  users: string[]
  /** New rights of existing users; parties by fixture. */
  rights: { user: string; rights: string[] }[]
  contracts: string[]
  packages: string[]
}

export interface Effects extends Made {
  vetting: string[]
  /** Accepted submissions; each may commit a transaction. */
  transactions: number
}

export interface RecordedRefusal {
  permissions: Permission[]
  rows: number
}
