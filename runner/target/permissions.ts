import { isJsonObject } from '../../lib/json/json.js'
import { isLoopback } from '../../lib/loopback.js'
import type { Permission } from '../../record/types/effects.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'

export type Permissions = ReadonlySet<Permission>

/** A loopback address is the user's own participant. Uploads are permanent. */
export function defaultPermissions(url: string, embedded: boolean): Permissions {
  if (embedded) return new Set(['read', 'write', 'topology', 'upload'])
  return new Set(isLoopback(new URL(url).hostname) ? ['read', 'write', 'topology'] : ['read', 'write'])
}

/** False for a dry run. A body that is not JSON counts as a change. */
export const requestsVetting = ({ operation, request }: ResolvedStep): boolean =>
  operation === 'update-package-vetting' && !isDryRun(request)

export function isDryRun({ body }: ResolvedStep['request']): boolean {
  if (body === undefined || !('json' in body) || !isJsonObject(body.json)) return false
  return body.json['dryRun'] === true && !body.edits?.some(({ at }) => at === '' || at.startsWith('/dryRun'))
}
