import type { Permission } from '../../record/types/effects.js'
import { isLoopback } from './connection/proxy-for.js'

export type Permissions = ReadonlySet<Permission>

/** A loopback address is the user's own participant. Uploads are permanent. */
export function defaultPermissions(url: string, embedded: boolean): Permissions {
  if (embedded) return new Set(['read', 'write', 'topology', 'upload'])
  return new Set(isLoopback(new URL(url).hostname) ? ['read', 'write', 'topology'] : ['read', 'write'])
}
