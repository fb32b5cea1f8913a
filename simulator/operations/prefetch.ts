import { missingField, RedactedError } from '../base/errors.js'
import type { PrefetchBody } from '../codec/commands.js'
import { decodeValue, resolve, templatesMissing } from '../codec/conversion.js'
import { checkDaml } from '../json/daml-check.js'
import type { Participant } from '../participant/participant.js'

/** `unsupported`: the reference fails after authorization. */
export interface Prefetched {
  limit: bigint | undefined
  unsupported: boolean
  problem: string | undefined
}

/** Resolves and decodes the keys; prefetching only warms caches. Throws if the template has no key. */
export function convertPrefetch(bodies: readonly PrefetchBody[], participant: Participant): Prefetched[] {
  const { ledger, behaviour } = participant
  return bodies.map(({ templateId, contractKey, limit }) => {
    if (!templateId) throw missingField('request', 'template_id')
    if (templateId.package.startsWith('#') && behaviour.has('server-error-for-prefetch-by-name')) {
      return { limit, unsupported: true, problem: undefined }
    }
    const id = resolve(templateId, { actAs: [], preference: [], synchronizerId: '', packageNames: [] }, ledger)
    const key = ledger.packages.template(id)?.key
    if (!key) throw templatesMissing(id)
    const found = checkDaml(key, decodeValue(key, contractKey, behaviour)).find(({ layer }) => layer === 'request')
    return { limit, unsupported: false, problem: found?.message }
  })
}

/** The reference fails with an internal error for a template id by package name. */
export function refuseUnsupported(prefetched: readonly Prefetched[]): void {
  if (prefetched.some(({ unsupported }) => unsupported)) throw new RedactedError('INTERNAL')
}
