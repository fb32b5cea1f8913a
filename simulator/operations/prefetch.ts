import { RedactedError, templatesNotFound } from '../base/errors.js'
import type { PrefetchBody } from '../codec/commands.js'
import { decodeValue, resolve } from '../codec/conversion.js'
import { checkDaml } from '../json/daml-check.js'
import type { Participant } from '../participant/participant.js'

/** A prefetch key after conversion. `unsupported`: the reference fails on it, but only after the request was authorized. */
export interface Prefetched {
  limit: bigint | undefined
  unsupported: boolean
  /** What the request checks find wrong with the key. */
  problem: string | undefined
}

/**
 * Resolves and decodes keys to prefetch. They only warm caches, so nothing else becomes of them. Throws where a template
 * has no key.
 */
export function convertPrefetch(bodies: readonly PrefetchBody[], participant: Participant): Prefetched[] {
  const { ledger, behaviour } = participant
  return bodies.map(({ templateId, contractKey, limit }) => {
    if (templateId.package.startsWith('#') && behaviour.has('server-error-for-client-mistake')) {
      return { limit, unsupported: true, problem: undefined }
    }
    const id = resolve(templateId, { actAs: [], preference: [], synchronizerId: '', packageNames: [] }, ledger)
    const key = ledger.packages.template(id)?.key
    if (!key) {
      const name = `${id.packageId}:${id.module}:${id.entity}`
      throw templatesNotFound('service', `Templates do not exist: [${name}].`, { resources: [['TEMPLATE_ID', name]] })
    }
    const found = checkDaml(key, decodeValue(key, contractKey)).find(({ layer }) => layer === 'request')
    return { limit, unsupported: false, problem: found?.message }
  })
}

/** The reference cannot prefetch keys of templates that are named by package name: an internal error. */
export function refuseUnsupported(prefetched: readonly Prefetched[]): void {
  if (prefetched.some(({ unsupported }) => unsupported)) throw new RedactedError('INTERNAL')
}
