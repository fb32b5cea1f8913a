/** Pure: functions return a new state. */
import type { HeldPackage, PackageStore, VettedPackage, VettingReference } from './package-store.js'
import { upgradeProblem } from './upgrade-check.js'
import {
  ambiguousReference,
  dependenciesNotVetted,
  emptyValidity,
  invalidUpgrade,
  knownPackageVersion,
  unresolvedReference,
} from './vetting-errors.js'

/** `serial` of the latest topology transaction. */
export interface VettingState {
  packages: readonly VettedPackage[]
  serial: number
}

export type VettingChange =
  | { kind: 'vet'; references: VettingReference[]; from: bigint | undefined; until: bigint | undefined }
  | { kind: 'unvet'; references: VettingReference[] }

/** The upper bound is exclusive. */
export const isValidAt = ({ validFrom, validUntil }: VettedPackage, now: bigint): boolean =>
  (validFrom === undefined || validFrom <= now) && (validUntil === undefined || now < validUntil)

/**
 * Applies the changes in order. Throws `LedgerError` for an unresolved reference.
 * @example
 * const references = [{ id, name: '', version: '' }]
 * applyChanges([{ packageId: id }], [{ kind: 'unvet', references }], packages) // []
 */
export function applyChanges(
  before: readonly VettedPackage[],
  changes: readonly VettingChange[],
  packages: PackageStore,
): VettedPackage[] {
  // An unresolved reference rejects all changes.
  const resolved = changes.map((change) => ({
    change,
    ids: new Set(
      change.references.flatMap((reference) =>
        change.kind === 'vet' ? [resolveOne(reference, packages)] : matching(reference, packages).map(({ id }) => id),
      ),
    ),
  }))
  return resolved.reduce<VettedPackage[]>(
    (state, { change, ids }) => {
      if (change.kind === 'unvet') return state.filter(({ packageId }) => !ids.has(packageId))
      const entry = (packageId: string): VettedPackage => ({
        packageId,
        ...(change.from !== undefined && { validFrom: change.from }),
        ...(change.until !== undefined && { validUntil: change.until }),
      })
      const kept = state.map((item) => (ids.has(item.packageId) ? entry(item.packageId) : item))
      const known = new Set(state.map(({ packageId }) => packageId))
      return [...kept, ...[...ids].filter((id) => !known.has(id)).map(entry)]
    },
    [...before],
  )
}

function matching({ id, name, version }: VettingReference, packages: PackageStore): HeldPackage[] {
  return packages
    .all()
    .filter(
      (item) =>
        (id === '' || item.id === id) &&
        (name === '' || item.name === name) &&
        (version === '' || item.version === version),
    )
}

function resolveOne(reference: VettingReference, packages: PackageStore): string {
  const found = matching(reference, packages)
  const [only] = found
  if (!only) throw unresolvedReference(reference, packages.get(reference.id))
  if (found.length > 1)
    throw ambiguousReference(
      reference,
      found.map(({ id }) => id),
    )
  return only.id
}

/** The serial rises only with a change; without one it is the same object. */
export const nextVetting = (before: VettingState, after: readonly VettedPackage[]): VettingState =>
  sameVetting(after, before.packages) ? before : { packages: after, serial: before.serial + 1 }

const sameVetting = (a: readonly VettedPackage[], b: readonly VettedPackage[]): boolean => {
  const print = (state: readonly VettedPackage[]): string =>
    state
      .map(({ packageId, validFrom, validUntil }) => `${packageId} ${validFrom} ${validUntil}`)
      .sort()
      .join()
  return print(a) === print(b)
}

const described = (after: readonly VettedPackage[], packages: PackageStore): HeldPackage[] =>
  after.flatMap(({ packageId }) => packages.get(packageId) ?? [])

/** Throws `LedgerError` if a package has no moment of validity. */
export function refuseEmptyValidity(after: readonly VettedPackage[]): void {
  const empty = after.filter(
    ({ validFrom, validUntil }) => validFrom !== undefined && validUntil !== undefined && validFrom >= validUntil,
  )
  if (empty.length > 0) throw emptyValidity(empty)
}

/** Throws `LedgerError` if a dependency of a vetted package is not vetted. */
export function refuseUnvettedDependencies(after: readonly VettedPackage[], packages: PackageStore): void {
  const vetted = described(after, packages)
  const ids = new Set(vetted.map(({ id }) => id))
  const missing = vetted.flatMap((held) => dependenciesOf(held).filter((id) => !ids.has(id)))
  if (missing.length > 0) throw dependenciesNotVetted([...new Set(missing)])
}

const dependenciesOf = ({ bytes, content }: HeldPackage): readonly string[] => (bytes ? content.dependencies : [])

/** Throws `LedgerError` if a newly vetted package is incompatible with a neighboring version. */
export function refuseInvalidUpgrades(
  before: readonly VettedPackage[],
  after: readonly VettedPackage[],
  packages: PackageStore,
  uploading: boolean,
): void {
  const vetted = described(after, packages)
  const ids = new Set(vetted.map(({ id }) => id))
  const known = new Set(before.map(({ packageId }) => packageId))
  for (const newer of vetted) {
    const versions = packages.versionsOf(newer.name).filter(({ id }) => ids.has(id))
    const place = versions.indexOf(newer)
    const older = place < 0 ? undefined : versions[place + 1]
    if (!older || (known.has(older.id) && known.has(newer.id))) continue
    if (older.version === newer.version) throw knownPackageVersion(older, newer, uploading)
    const problem = upgradeProblem(older, newer, packages)
    if (problem) throw invalidUpgrade(newer, older, problem, uploading)
  }
}
