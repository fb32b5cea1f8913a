import type { JsonValue } from '../../lib/json/json.js'
import type { Reason, UnreadyPackage } from '../../record/types/reason.js'
import { type Capability, failureOf, TargetError } from '../target/target.js'
import { itemsAt, valueAt } from '../template/pointer.js'
import type { Caller, Uploader } from './caller.js'
import type { Discovery } from './discover.js'

export interface ModelPackage {
  title: string
  id: string
  dar: string
  /** Without bounds; false: uploaded and not vetted. */
  vetted: boolean
}

export interface ModelState {
  /** Or why cases cannot use the model. */
  capability: Exclude<Capability, false>
  /** Empty if the run may not upload. */
  missing: readonly ModelPackage[]
  wronglyVetted: readonly ModelPackage[]
}

/** `if-permitted`: a user can upload, but the run may not. */
export type Uploading = 'never' | 'if-permitted' | 'permitted'

/** Read-only. */
export async function checkModel(
  packages: readonly ModelPackage[],
  uploading: Uploading,
  discovery: Discovery,
  call: Caller,
): Promise<ModelState> {
  if (packages.length === 0) return { capability: { code: 'no-packages' }, missing: [], wronglyVetted: [] }
  try {
    const shortages = await shortagesOf(packages, discovery, call)
    const missing = shortages.filter(({ known }) => !known).map(({ wanted }) => wanted)
    const wronglyVetted = shortages.filter(({ known }) => known).map(({ wanted }) => wanted)
    if (shortages.length === 0 || uploading === 'permitted') return { capability: true, missing, wronglyVetted }
    const reason: Reason = { code: 'packages-unready', packages: shortages.map(unready) }
    // Only runs use these packages, so an interrupted run left this state.
    if (wronglyVetted.length > 0) return { capability: { hindered: reason }, missing: [], wronglyVetted }
    const capability = uploading === 'if-permitted' ? { permission: 'upload' as const, without: reason } : reason
    return { capability, missing: [], wronglyVetted }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { capability: failureOf(error), missing: [], wronglyVetted: [] }
  }
}

const unready = ({ wanted, problem }: Shortage): UnreadyPackage => ({ name: wanted.title, problem })

export async function uploadModel(
  packages: readonly ModelPackage[],
  { missing, wronglyVetted }: ModelState,
  discovery: Discovery,
  call: Caller,
  upload: Uploader,
): Promise<{ model: ModelState; uploaded: string[] }> {
  const uploaded: string[] = []
  try {
    if (wronglyVetted.length > 0) await vetAsRequired(wronglyVetted, discovery, call)
    for (const { title, dar, vetted } of missing) {
      const [synchronizerId, ...others] = discovery.synchronizerIds
      const named = synchronizerId !== undefined && others.length > 0 ? { synchronizerId } : undefined
      await upload(dar, { vetAllPackages: String(vetted), ...named })
      uploaded.push(title)
    }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { model: { capability: failureOf(error), missing: [], wronglyVetted: [] }, uploaded }
  }
  return { model: await checkModel(packages, 'never', discovery, call), uploaded }
}

/** Packages depend on each other. Throws `TargetError`. */
export async function vetAsRequired(
  packages: readonly ModelPackage[],
  { synchronizerIds: [synchronizerId = ''] }: Discovery,
  call: Caller,
): Promise<void> {
  const changes = packages.map(({ id, vetted }): JsonValue => {
    const value = { packages: [{ packageId: id, packageName: '', packageVersion: '' }] }
    const bounds = { newValidFromInclusive: null, newValidUntilExclusive: null }
    return { operation: vetted ? { Vet: { value: { ...value, ...bounds } } } : { Unvet: { value } } }
  })
  await call('update-package-vetting', { changes, dryRun: false, synchronizerId })
}

interface Shortage {
  wanted: ModelPackage
  problem: UnreadyPackage['problem']
  known: boolean
}

async function shortagesOf(
  packages: readonly ModelPackage[],
  { participantId, synchronizerIds }: Discovery,
  call: Caller,
): Promise<Shortage[]> {
  const known = itemsAt(await call('packages'), '/packageIds')
  const listed = await call('list-vetted-packages', {
    packageMetadataFilter: { packageIds: packages.map(({ id }) => id), packageNamePrefixes: [] },
    topologyStateFilter: {
      participantIds: participantId === undefined ? [] : [participantId],
      synchronizerIds: synchronizerIds.slice(0, 1),
    },
  })
  const vetted = itemsAt(listed, '/vettedPackages').flatMap((state) => itemsAt(state, '/packages'))
  return packages.flatMap((wanted) => shortageOf(wanted, known, vetted) ?? [])
}

function shortageOf(
  wanted: ModelPackage,
  known: readonly JsonValue[],
  vetted: readonly JsonValue[],
): Shortage | undefined {
  const { id } = wanted
  if (!known.includes(id)) return { wanted, problem: 'not-uploaded', known: false }
  const entry = vetted.find((item) => valueAt(item, '/packageId') === id)
  if (entry === undefined) return wanted.vetted ? { wanted, problem: 'not-vetted', known: true } : undefined
  if (!wanted.vetted) return { wanted, problem: 'vetted', known: true }
  const bounds = [valueAt(entry, '/validFromInclusive'), valueAt(entry, '/validUntilExclusive')]
  return bounds.some((bound) => typeof bound === 'string' && bound !== '')
    ? { wanted, problem: 'bounded', known: true }
    : undefined
}
