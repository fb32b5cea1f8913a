/** What a participant has vetted of the packages that rows change, and putting it back. */
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { isJsonObject } from '../../lib/json/json.js'
import type { Caller } from '../provision/caller.js'
import { valueAt } from '../template/pointer.js'

/** A vetted package, as it is listed; bounds are texts as they came, undefined where there are none. */
export interface VettedPackage {
  packageId: string
  packageName: string
  packageVersion: string
  from: string | undefined
  until: string | undefined
}

/** The watched packages that are vetted, by synchronizer. */
export type VettingState = Readonly<Record<string, readonly VettedPackage[]>>

/** Packages that rows of suites touch beside those of the conformance model. */
const alwaysWatched = 'canton-builtin-admin-workflow-ping'

/** The state of the participant on these synchronizers, of packages with these ids. Throws `TargetError`. */
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

function packagesIn(listed: JsonValue): VettedPackage[] {
  const states = valueAt(listed, '/vettedPackages')
  const entries = (Array.isArray(states) ? states : []).flatMap((state) => {
    const packages = valueAt(state, '/packages')
    return Array.isArray(packages) ? packages : []
  })
  return entries.filter(isJsonObject).map(packageIn)
}

const packageIn = (entry: JsonObject): VettedPackage => ({
  packageId: textOf(entry['packageId']) ?? '',
  packageName: textOf(entry['packageName']) ?? '',
  packageVersion: textOf(entry['packageVersion']) ?? '',
  from: textOf(entry['validFromInclusive']),
  until: textOf(entry['validUntilExclusive']),
})

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** A package that is not vetted as it was. */
export interface VettingDifference {
  synchronizerId: string
  /** As it should be; undefined where it should not be vetted. */
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

/** The same point in time can be spelt with more or fewer digits. */
const sameInstant = (one: string | undefined, other: string | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && Date.parse(one) === Date.parse(other))

/** Puts the differences back, in one update for each synchronizer: packages depend on each other. Throws `TargetError`. */
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

/** For people: `conformance-dependent 1.0.0 is not vetted, and was`. */
export function differenceInWords({ wanted, found }: VettingDifference): string {
  const one = wanted ?? found
  const name = one && one.packageName !== '' ? `${one.packageName} ${one.packageVersion}` : (one?.packageId ?? '')
  if (!found) return `${name} is not vetted, and was`
  if (!wanted) return `${name} is vetted, and was not`
  return `${name} is vetted ${boundsOf(found)}, and was ${boundsOf(wanted)}`
}

const boundsOf = ({ from, until }: VettedPackage): string =>
  from === undefined && until === undefined
    ? 'without bounds'
    : `from ${from ?? 'the beginning'} until ${until ?? 'the end'}`
