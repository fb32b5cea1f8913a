import { RedactedError, templatesNotFound } from '../base/errors.js'
import type { Participant } from '../participant/participant.js'
import type { PrefetchBody } from './commands.js'
import { decodeValue, resolve } from './conversion.js'

/** A prefetch key after conversion. `unsupported`: the reference fails on it, but only after the request was authorized. */
export interface Prefetched {
  limit: bigint | undefined
  unsupported: boolean
}

/**
 * Resolves and decodes keys to prefetch. They only warm caches, so nothing else becomes of them. Throws where a template
 * has no key.
 */
export function convertPrefetch(bodies: readonly PrefetchBody[], participant: Participant): Prefetched[] {
  const { ledger, behaviour } = participant
  return bodies.map(({ templateId, contractKey, limit }) => {
    if (templateId.package.startsWith('#') && behaviour.has('server-error-for-client-mistake')) {
      return { limit, unsupported: true }
    }
    const id = resolve(templateId, { actAs: [], preference: [], synchronizerId: '', packageNames: [] }, ledger)
    const key = ledger.packages.template(id)?.key
    if (!key) {
      const name = `${id.packageId}:${id.module}:${id.entity}`
      throw templatesNotFound('service', `Templates do not exist: [${name}].`, { resources: [['TEMPLATE_ID', name]] })
    }
    decodeValue(key.type, contractKey)
    return { limit, unsupported: false }
  })
}

/** The reference cannot prefetch keys of templates that are named by package name: an internal error. */
export function refuseUnsupported(prefetched: readonly Prefetched[]): void {
  if (prefetched.some(({ unsupported }) => unsupported)) throw new RedactedError('INTERNAL')
}
