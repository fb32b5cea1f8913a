/** What a run may do to its target. */
import type { Permission } from '../../record/types/effects.js'
import { isLoopback } from './connection/proxy-for.js'

export type Permissions = ReadonlySet<Permission>

/**
 * What may be done unless it is said. The embedded simulator is nobody else's; what listens on this machine alone is taken for
 * somebody's own participant, but packages cannot be taken back.
 */
export function defaultPermissions(url: string, embedded: boolean): Permissions {
  if (embedded) return new Set(['read', 'write', 'topology', 'upload'])
  return new Set(isLoopback(new URL(url).hostname) ? ['read', 'write', 'topology'] : ['read', 'write'])
}
