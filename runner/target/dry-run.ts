import { isJsonObject } from '../../lib/json/json.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'

/** Whether a step asks for another vetting, and not only for what would come of it. What cannot be read counts as if it did. */
export const requestsVetting = ({ operation, request }: Pick<ResolvedStep, 'operation' | 'request'>): boolean =>
  operation === 'update-package-vetting' && !isDryRun(request)

/** The body says of itself that nothing is to be changed, and nothing takes that out later. */
export function isDryRun({ body }: ResolvedStep['request']): boolean {
  if (body === undefined || !('json' in body) || !isJsonObject(body.json)) return false
  return body.json['dryRun'] === true && !body.edits?.some(({ at }) => at === '' || at.startsWith('/dryRun'))
}
