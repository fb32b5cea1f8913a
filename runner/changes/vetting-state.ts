import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.js'
import type { Caller } from '../provision/caller.js'
import { TargetError } from '../target/target.js'
import { itemsAt } from '../template/pointer.js'

export interface VettedPackage {
  packageId: string
  packageName: string
  packageVersion: string
  from: string | undefined
  until: string | undefined
}

export type VettingState = Readonly<Record<string, readonly VettedPackage[]>>

/** Rows also change this package. */
const alwaysWatched = 'canton-builtin-admin-workflow-ping'

/** Throws `TargetError`. */
export async function readVetting(
  participantId: string,
  synchronizerIds: readonly string[],
  watched: ReadonlySet<string>,
  call: Caller,
): Promise<VettingState> {
  const found: [string, VettedPackage[]][] = []
  for (const synchronizerId of synchronizerIds) {
    const listed = await call('list-vetted-packages', {
      packageMetadataFilter: { packageIds: [...watched], packageNamePrefixes: [alwaysWatched] },
      topologyStateFilter: { participantIds: [participantId], synchronizerIds: [synchronizerId] },
    })
    found.push([synchronizerId, packagesIn(listed).toSorted((a, b) => (a.packageId < b.packageId ? -1 : 1))])
  }
  return Object.fromEntries(found)
}

const packagesIn = (listed: JsonValue): VettedPackage[] =>
  itemsAt(listed, '/vettedPackages')
    .flatMap((state) => itemsAt(state, '/packages'))
    .filter(isJsonObject)
    .map(packageIn)

const packageIn = (entry: JsonObject): VettedPackage => ({
  packageId: textOf(entry['packageId']) ?? '',
  packageName: textOf(entry['packageName']) ?? '',
  packageVersion: textOf(entry['packageVersion']) ?? '',
  from: textOf(entry['validFromInclusive']),
  until: textOf(entry['validUntilExclusive']),
})

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export interface VettingDifference {
  synchronizerId: string
  /** Undefined: not vetted. */
  wanted: VettedPackage | undefined
  found: VettedPackage | undefined
}

export function vettingDifferences(wanted: VettingState, found: VettingState): VettingDifference[] {
  return Object.entries(wanted).flatMap(([synchronizerId, packages]) => {
    const now = new Map((found[synchronizerId] ?? []).map((one) => [one.packageId, one]))
    const before = new Map(packages.map((one) => [one.packageId, one]))
    const ids = new Set([...before.keys(), ...now.keys()])
    return [...ids].flatMap((id) => {
      const [one, other] = [before.get(id), now.get(id)]
      return isSame(one, other) ? [] : [{ synchronizerId, wanted: one, found: other }]
    })
  })
}

const isSame = (one: VettedPackage | undefined, other: VettedPackage | undefined): boolean =>
  one?.packageId === other?.packageId && sameInstant(one?.from, other?.from) && sameInstant(one?.until, other?.until)

/** One instant has several notations. */
const sameInstant = (one: string | undefined, other: string | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && Date.parse(one) === Date.parse(other))

/** One update for each synchronizer: packages depend on each other. Throws `TargetError`. */
export async function applyVetting(differences: readonly VettingDifference[], call: Caller): Promise<void> {
  for (const synchronizerId of new Set(differences.map((one) => one.synchronizerId))) {
    const own = differences.filter((one) => one.synchronizerId === synchronizerId)
    await call('update-package-vetting', { changes: own.map(changeOf), dryRun: false, synchronizerId })
  }
}

function changeOf({ wanted, found }: VettingDifference): JsonObject {
  const packages = [{ packageId: wanted?.packageId ?? found?.packageId ?? '', packageName: '', packageVersion: '' }]
  if (!wanted) return { operation: { Unvet: { value: { packages } } } }
  const bounds = { newValidFromInclusive: wanted.from ?? null, newValidUntilExclusive: wanted.until ?? null }
  return { operation: { Vet: { value: { packages, ...bounds } } } }
}

export function differenceInWords({ wanted, found }: VettingDifference): string {
  const one = wanted ?? found
  const name = one && one.packageName !== '' ? `${one.packageName} ${one.packageVersion}` : (one?.packageId ?? '')
  if (!found) return `${name} is not vetted, but was vetted before`
  if (!wanted) return `${name} is vetted, but was not vetted before`
  return `${name} is vetted ${boundsInWords(found)}, but was vetted ${boundsInWords(wanted)} before`
}

export function boundsInWords({ from, until }: VettedPackage): string {
  const bounds = [...(from === undefined ? [] : [`from ${from}`]), ...(until === undefined ? [] : [`until ${until}`])]
  return bounds.length === 0 ? 'without bounds' : bounds.join(' ')
}

/** Sentences. */
export interface Restored {
  repaired: string[]
  left: string[]
}

export interface RestoredVetting extends Restored {
  isUnknown?: true
}

export async function restoreVetting(
  wanted: VettingState,
  read: () => Promise<VettingState>,
  call: Caller,
): Promise<RestoredVetting> {
  try {
    const before = vettingDifferences(wanted, await read())
    if (before.length === 0) return { repaired: [], left: [] }
    await applyVetting(before, call)
    const after = vettingDifferences(wanted, await read())
    if (after.length > 0)
      return {
        repaired: [],
        left: after.map((one) => `Rows changed the vetting, and the restore failed: ${differenceInWords(one)}.`),
      }
    return {
      repaired: before.map((one) => `Rows changed the vetting: ${differenceInWords(one)}. The run restored it.`),
      left: [],
    }
  } catch (error) {
    if (!(error instanceof TargetError)) throw error
    const sentence = `The vetting after the rows is unknown: ${error.message}. The next run, or conform clean, checks it.`
    return { repaired: [], left: [sentence], isUnknown: true }
  }
}
