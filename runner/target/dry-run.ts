import { isJsonObject } from '../../lib/json/json.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'

/** False for a dry run. A body that is not JSON counts as a change. */
export const requestsVetting = ({ operation, request }: ResolvedStep): boolean =>
  operation === 'update-package-vetting' && !isDryRun(request)

export function isDryRun({ body }: ResolvedStep['request']): boolean {
  if (body === undefined || !('json' in body) || !isJsonObject(body.json)) return false
  return body.json['dryRun'] === true && !body.edits?.some(({ at }) => at === '' || at.startsWith('/dryRun'))
}
