import { grammars, violation } from '../../interface/grammars.js'
import { supportOperations } from '../../interface/operations.js'
import { demandAdmin, demandUser } from '../auth/caller.js'
import { packageNotFound } from '../base/errors.js'
import { emptyAnswer, ok } from '../http/answer.js'
import { flagParameter } from '../http/call.js'
import { type Endpoint, endpoint, on, type Place } from '../http/endpoint.js'
import { int32, list, message, nullable, optional, text } from '../json/decode.js'
import type { HeldPackage } from '../ledger/packages/package-store.js'
import { undeserializable } from '../ledger/packages/vetting-errors.js'
import { synchronizerToVetOn } from '../ledger/route/route.js'
import type { Ledger } from '../ledger/state/ledger.js'
import { preferredFirst } from '../ledger/state/ledger-state.js'
import { view } from '../operations/update-package-vetting.js'
import { pageSizes } from './accounts.js'

/** Empty if absent. Throws `PROTO_DESERIALIZATION_FAILURE`. */
function synchronizerIn(query: URLSearchParams): string {
  const id = query.get('synchronizerId') ?? ''
  const problem = id === '' ? undefined : violation(grammars.synchronizerId, id)
  if (problem !== undefined) throw undeserializable(`ValueConversionError(synchronizer_id,${problem})`)
  return id
}

// Lazy, for a faster start.
async function packagesIn(bytes: Uint8Array, { packages }: Ledger): Promise<HeldPackage[]> {
  const { uploadedPackages } = await import('./uploaded-packages.js')
  return uploadedPackages(bytes, packages)
}

const upload = (place: Place): Endpoint =>
  endpoint({
    ...place,
    handle: async ({ participant: { ledger }, caller, query, rawBody }) => {
      demandAdmin(caller)
      const wanted = synchronizerIn(query)
      // Without vetting, no synchronizer is necessary.
      const synchronizer = flagParameter(query, 'vetAllPackages', true)
        ? synchronizerToVetOn(wanted, ledger)
        : undefined
      ledger.upload(await packagesIn(rawBody, ledger), synchronizer)
      return ok({})
    },
  })

/** Stores nothing. */
const validateDar = endpoint({
  method: 'post',
  path: '/v2/dars/validate',
  handle: async ({ participant: { ledger }, caller, query, rawBody }) => {
    demandAdmin(caller)
    const synchronizer = synchronizerToVetOn(synchronizerIn(query), ledger)
    ledger.planUpload(await packagesIn(rawBody, ledger), synchronizer)
    return emptyAnswer(200)
  },
})

const packageStatus = endpoint({
  method: 'get',
  path: '/v2/packages/:package/status',
  handle: ({ participant: { ledger }, caller, params }) => {
    demandUser(caller)
    const known = ledger.packages.get(params['package'] ?? '') !== undefined
    return ok({ packageStatus: known ? 'PACKAGE_STATUS_REGISTERED' : 'PACKAGE_STATUS_UNSPECIFIED' })
  },
})

/** Built-in packages have no bytes. */
const getPackage = endpoint({
  method: 'get',
  path: '/v2/packages/:package',
  answers: 'bytes',
  handle: ({ participant: { ledger }, caller, params }) => {
    demandUser(caller)
    const packageId = params['package'] ?? ''
    const bytes = ledger.packages.get(packageId)?.bytes
    const headers = { 'Canton-Package-Hash': packageId }
    if (bytes) return { status: 200, type: 'application/octet-stream', content: bytes, headers }
    throw packageNotFound('reading', 'Could not find package.', {
      context: { packageId: `'${packageId}'` },
      resources: [['PACKAGE', packageId]],
    })
  },
})

const listPackages = endpoint({
  ...on(supportOperations.packages),
  handle: ({ participant: { ledger }, caller }) => {
    demandUser(caller)
    return ok({ packageIds: ledger.packages.all().map(({ id }) => id) })
  },
})

const listVettedBody = message({
  packageMetadataFilter: nullable(
    message({ packageIds: optional(list(text), []), packageNamePrefixes: optional(list(text), []) }),
    { packageIds: [], packageNamePrefixes: [] },
  ),
  topologyStateFilter: nullable(
    message({ participantIds: optional(list(text), []), synchronizerIds: optional(list(text), []) }),
    { participantIds: [], synchronizerIds: [] },
  ),
  pageSize: optional(int32, 0n),
  pageToken: optional(text, ''),
})

/** Throws `PROTO_DESERIALIZATION_FAILURE`. */
function refuseBadPageSize(size: bigint): void {
  if (size >= 0n && size <= BigInt(pageSizes.vettedPackages)) return
  const wanted = size < 0n ? `a non-negative value` : `at most ${pageSizes.vettedPackages}`
  throw undeserializable(
    `InvariantViolation(Some(page_size),Received ${size} as argument, but we require ${wanted} here.)`,
  )
}

const listVettedPackages = (place: Place): Endpoint =>
  endpoint({
    ...place,
    body: listVettedBody,
    handle: ({ participant: { ledger }, caller, body }) => {
      demandUser(caller)
      refuseBadPageSize(body.pageSize)
      const { packageIds, packageNamePrefixes } = body.packageMetadataFilter
      const { participantIds, synchronizerIds } = body.topologyStateFilter
      const allowed = (list: readonly string[], item: string): boolean => list.length === 0 || list.includes(item)
      const everything = packageIds.length === 0 && packageNamePrefixes.length === 0
      const wanted = (id: string): boolean =>
        everything ||
        packageIds.includes(id) ||
        packageNamePrefixes.some((prefix) => ledger.packages.get(id)?.name.startsWith(prefix))
      const listed = preferredFirst(allowed(participantIds, ledger.participantId) ? ledger.synchronizers : []).filter(
        ({ id, vetting }) =>
          allowed(synchronizerIds, id) && vetting.packages.some(({ packageId }) => wanted(packageId)),
      )
      const last = listed.at(-1)
      return ok({
        vettedPackages: listed.map((synchronizer) => view(ledger, synchronizer, synchronizer.vetting, wanted)),
        nextPageToken: last ? Buffer.from(`${last.id} ${ledger.participantId}`).toString('base64') : '',
      })
    },
  })

export const packageEndpoints: readonly Endpoint[] = [
  upload(on(supportOperations['upload-dar'])),
  // The earlier name.
  upload({ method: 'post', path: '/v2/packages' }),
  validateDar,
  listPackages,
  packageStatus,
  getPackage,
  listVettedPackages(on(supportOperations['list-vetted-packages'])),
  // The earlier names.
  listVettedPackages({ method: 'post', path: '/v2/package-vetting' }),
  listVettedPackages({ method: 'get', path: '/v2/package-vetting' }),
]
