/** The packages of the conformance model: whether the target has them as cases need them, and uploading them where it may be done. */
import { readFile } from 'node:fs/promises'
import type { JsonValue } from '../../interface/json.js'
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
  capability: true | string
  /** What has to be uploaded before they can. */
  missing: readonly ModelPackage[]
}

/**
 * Looks whether the target has the packages as cases need them, and changes nothing. `mayUpload`: what is only missing counts
 * as there, and is then to be uploaded.
 */
export async function seeModel(
  packages: readonly ModelPackage[],
  mayUpload: boolean,
  discovery: Discovery,
  call: Caller,
): Promise<ModelState> {
  if (packages.length === 0) return { capability: 'the run was not told of any packages', missing: [] }
  try {
    const shortages = await shortagesOf(packages, discovery, call)
    const hindering = shortages.filter(({ curable }) => !curable || !mayUpload)
    const missing = shortages.map(({ wanted }) => wanted)
    return hindering.length === 0 ? { capability: true, missing } : { capability: reasonOf(hindering), missing: [] }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { capability: error.message, missing: [] }
  }
}

function reasonOf(hindering: readonly Shortage[]): string {
  const [first, ...others] = hindering.map(({ problem }) => problem)
  const more = others.length > 0 ? `, and so on (${hindering.length} packages)` : ''
  const advice = hindering.some(({ curable }) => curable) ? '; --allow-upload uploads what is missing' : ''
  return `${first}${more}${advice}`
}

/** Uploads what is missing, and looks again. */
export async function uploadModel(
  packages: readonly ModelPackage[],
  missing: readonly ModelPackage[],
  discovery: Discovery,
  call: Caller,
  upload: Uploader,
): Promise<ModelState> {
  try {
    for (const { dar, vetted } of missing) {
      const [synchronizerId, ...others] = discovery.synchronizerIds
      const named = synchronizerId !== undefined && others.length > 0 ? { synchronizerId } : undefined
      await upload(await readFile(dar), { vetAllPackages: String(vetted), ...named })
    }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    return { capability: error.message, missing: [] }
  }
  return seeModel(packages, false, discovery, call)
}

/** A package that is not as cases need it. */
interface Shortage {
  wanted: ModelPackage
  problem: string
  /** An upload would help. */
  curable: boolean
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
  if (!known.includes(id)) return { wanted, problem: `${title} is not there`, curable: true }
  const entry = vetted.find((item) => valueAt(item, '/packageId') === id)
  if (entry === undefined)
    return wanted.vetted ? { wanted, problem: `${title} is not vetted`, curable: true } : undefined
  if (!wanted.vetted) return { wanted, problem: `${title} is vetted, and must not be`, curable: false }
  const bounds = [valueAt(entry, '/validFromInclusive'), valueAt(entry, '/validUntilExclusive')]
  // Rows would not put bounds back.
  return bounds.some((bound) => typeof bound === 'string' && bound !== '')
    ? { wanted, problem: `${title} is vetted with bounds`, curable: false }
    : undefined
}

const listAt = (value: JsonValue, pointer: string): readonly JsonValue[] => {
  const found = valueAt(value, pointer)
  return Array.isArray(found) ? found : []
}
