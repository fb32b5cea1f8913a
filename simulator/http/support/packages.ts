/** Packages: uploading them, asking for them, listing which are vetted. */
import { packages } from '../../../model/packages.js'
import { demandAdmin, demandUser } from '../../auth/authorize.js'
import { invalidArgument, invalidDar, packageNotFound } from '../../errors.js'
import { list, members, optional, text } from '../../json/decode.js'
import { ok } from '../answer.js'
import { endpoint } from '../endpoint.js'
import { view } from '../update-package-vetting.js'

/** How a ZIP archive begins. */
const zipHead = Buffer.from('PK\u0003\u0004', 'latin1')

/**
 * The ids of the packages that an archive names in its file list. The simulator runs described packages only, so it need
 * not look into them. Throws `INVALID_DAR` for what is no archive, `INVALID_ARGUMENT` where no package in it is known.
 */
function describedIn(archive: Buffer): string[] {
  if (!archive.subarray(0, 4).equals(zipHead)) {
    throw invalidDar('service', 'Dar file is corrupt', {
      context: { entries: 'List()', throwable: 'the file is no ZIP archive' },
      definite: 'unsaid',
    })
  }
  const named = archive.toString('latin1').matchAll(/-([0-9a-f]{64})\.dalf/g)
  const ids = [...new Set([...named].map((match) => match[1] ?? ''))].filter((id) =>
    packages.some((item) => item.id === id),
  )
  if (ids.length > 0) return ids
  throw invalidArgument(
    'service',
    'this simulator only runs packages that are built into it; none of them was found in the uploaded archive',
  )
}

export const uploadDar = endpoint({
  method: 'post',
  path: '/v2/dars',
  handle: ({ participant: { ledger }, caller, query, rawBody }) => {
    demandAdmin(caller)
    ledger.upload(describedIn(rawBody), query.get('vetAllPackages') !== 'false')
    return ok({})
  },
})

/** Whether an upload would succeed; nothing is kept. */
export const validateDar = endpoint({
  method: 'post',
  path: '/v2/dars/validate',
  handle: ({ participant: { ledger }, caller, rawBody }) => {
    demandAdmin(caller)
    ledger.planUpload(describedIn(rawBody))
    return { status: 200, empty: true }
  },
})

export const packageStatus = endpoint({
  method: 'get',
  path: '/v2/packages/:package/status',
  handle: ({ participant: { ledger }, caller, params }) => {
    demandUser(caller)
    const known = ledger.packages.get(params['package'] ?? '') !== undefined
    return ok({ packageStatus: known ? 'PACKAGE_STATUS_REGISTERED' : 'PACKAGE_STATUS_UNSPECIFIED' })
  },
})

/** Only what is not there: the bytes of packages are not part of the simulator. */
export const getPackage = endpoint({
  method: 'get',
  path: '/v2/packages/:package',
  handle: ({ caller, params }) => {
    demandUser(caller)
    const packageId = params['package'] ?? ''
    throw packageNotFound('service', 'Could not find package.', {
      context: { packageId },
      resources: [['PACKAGE', packageId]],
    })
  },
})

export const listPackages = endpoint({
  method: 'get',
  path: '/v2/packages',
  handle: ({ participant: { ledger }, caller }) => {
    demandUser(caller)
    return ok({ packageIds: ledger.packages.all().map(({ id }) => id) })
  },
})

const listVettedBody = members({
  packageMetadataFilter: optional(
    members({ packageIds: optional(list(text), []), packageNamePrefixes: optional(list(text), []) }),
    { packageIds: [], packageNamePrefixes: [] },
  ),
  topologyStateFilter: optional(
    members({ participantIds: optional(list(text), []), synchronizerIds: optional(list(text), []) }),
    { participantIds: [], synchronizerIds: [] },
  ),
})

export const listVettedPackages = endpoint({
  method: 'post',
  path: '/v2/package-vetting/list',
  body: listVettedBody,
  handle: ({ participant: { ledger }, caller, body }) => {
    demandUser(caller)
    const { packageIds, packageNamePrefixes } = body.packageMetadataFilter
    const { participantIds, synchronizerIds } = body.topologyStateFilter
    const allowed = (list: readonly string[], item: string): boolean => list.length === 0 || list.includes(item)
    const here = allowed(participantIds, ledger.participantId) && allowed(synchronizerIds, ledger.synchronizer.id)
    const everything = packageIds.length === 0 && packageNamePrefixes.length === 0
    const wanted = (id: string): boolean =>
      everything ||
      packageIds.includes(id) ||
      packageNamePrefixes.some((prefix) => ledger.packages.get(id)?.name.startsWith(prefix))
    const matches = here && ledger.vetting.packages.some(({ packageId }) => wanted(packageId))
    const token = Buffer.from(`${ledger.synchronizer.id} ${ledger.participantId}`).toString('base64')
    return ok({
      vettedPackages: matches ? [view(ledger, ledger.vetting, wanted)] : [],
      nextPageToken: matches ? token : '',
    })
  },
})
