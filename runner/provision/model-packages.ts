/** The packages of the conformance model: whether the target has them as cases need them, and uploading them where it may be done. */

import { readInput } from '../../lib/files/read-input.js'
import type { JsonValue } from '../../lib/json/json.js'
import { TargetError } from '../target/target.js'
import { valueAt } from '../template/pointer.js'
import type { Caller, Uploader } from './caller.js'
import type { Discovery } from './discover.js'

export interface ModelPackage {
  /** `name version`, as it is called in what is told. */
  title: string
  id: string
  /** The file of its archive. */
  dar: string
  /** Cases need it vetted, without bounds; otherwise it must be known and not vetted. */
  vetted: boolean
}

/** The model as the target has it: a text says why cases cannot rely on it. */
export interface ModelState {
  capability: true | string | { hindered: string } | { permission: 'upload'; without: string }
  /** What has to be uploaded before they can; empty where that may not be. */
  missing: readonly ModelPackage[]
  /** What the target has, and has vetted otherwise than cases need it. */
  wronglyVetted: readonly ModelPackage[]
}

/** `never`: nobody could upload anything; `if-permitted`: somebody could, who may not. */
export type Uploading = 'never' | 'if-permitted' | 'permitted'

/**
 * Looks whether the target has the packages as cases need them, and changes nothing. Where they may be uploaded, what is only
 * missing counts as there, and is then to be uploaded.
 */
export async function checkModel(
  packages: readonly ModelPackage[],
  uploading: Uploading,
  discovery: Discovery,
  call: Caller,
): Promise<ModelState> {
  if (packages.length === 0)
    return { capability: 'the run was not told of any packages', missing: [], wronglyVetted: [] }
  try {
    const shortages = await shortagesOf(packages, discovery, call)
    const missing = shortages.filter(({ known }) => !known).map(({ wanted }) => wanted)
    const wronglyVetted = shortages.filter(({ known }) => known).map(({ wanted }) => wanted)
    if (shortages.length === 0 || uploading === 'permitted') return { capability: true, missing, wronglyVetted }
    const reason = reasonOf(shortages)
    // Nobody else has a use for these packages: a run that was ended left them like that.
    if (wronglyVetted.length > 0) return { capability: { hindered: reason }, missing: [], wronglyVetted }
    const isHelped = uploading === 'if-permitted'
    return { capability: isHelped ? { permission: 'upload', without: reason } : reason, missing: [], wronglyVetted }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { capability: error.message, missing: [], wronglyVetted: [] }
  }
}

function reasonOf(hindering: readonly Shortage[]): string {
  const [first, ...others] = hindering.map(({ problem }) => problem)
  const more = others.length > 0 ? `, and so on (${hindering.length} packages)` : ''
  const isLeft = hindering.some(({ known }) => known)
  const advice = isLeft
    ? ', as a run leaves it that is ended while it changes what is vetted; conform clean puts it right, and so does a run that may upload'
    : ''
  return `${first}${more}${advice}`
}

/** Vets what is there and otherwise vetted than cases need it, uploads what is missing, and looks again. */
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
      await upload(await readInput(dar, 'a DAR'), { vetAllPackages: String(vetted), ...named })
      uploaded.push(title)
    }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { model: { capability: error.message, missing: [], wronglyVetted: [] }, uploaded }
  }
  return { model: await checkModel(packages, 'never', discovery, call), uploaded }
}

/** In one update: packages depend on each other. Throws `TargetError`. */
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

/** A package that is not as cases need it. */
interface Shortage {
  wanted: ModelPackage
  problem: string
  /** The target has it, and it is vetted otherwise than cases need it. */
  known: boolean
}

async function shortagesOf(
  packages: readonly ModelPackage[],
  { participantId, synchronizerIds }: Discovery,
  call: Caller,
): Promise<Shortage[]> {
  const known = listAt(await call('packages'), '/packageIds')
  const listed = await call('list-vetted-packages', {
    packageMetadataFilter: { packageIds: packages.map(({ id }) => id), packageNamePrefixes: [] },
    topologyStateFilter: {
      participantIds: participantId === undefined ? [] : [participantId],
      synchronizerIds: synchronizerIds.slice(0, 1),
    },
  })
  const vetted = listAt(listed, '/vettedPackages').flatMap((state) => listAt(state, '/packages'))
  return packages.flatMap((wanted) => shortageOf(wanted, known, vetted) ?? [])
}

function shortageOf(
  wanted: ModelPackage,
  known: readonly JsonValue[],
  vetted: readonly JsonValue[],
): Shortage | undefined {
  const { title, id } = wanted
  if (!known.includes(id)) return { wanted, problem: `${title} is not there`, known: false }
  const entry = vetted.find((item) => valueAt(item, '/packageId') === id)
  if (entry === undefined) return wanted.vetted ? { wanted, problem: `${title} is not vetted`, known: true } : undefined
  if (!wanted.vetted) return { wanted, problem: `${title} is vetted, and must not be`, known: true }
  const bounds = [valueAt(entry, '/validFromInclusive'), valueAt(entry, '/validUntilExclusive')]
  return bounds.some((bound) => typeof bound === 'string' && bound !== '')
    ? { wanted, problem: `${title} is vetted with bounds`, known: true }
    : undefined
}

const listAt = (value: JsonValue, pointer: string): readonly JsonValue[] => {
  const found = valueAt(value, pointer)
  return Array.isArray(found) ? found : []
}
