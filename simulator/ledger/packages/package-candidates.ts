import type { HeldPackage, PackageStore } from './package-store.js'

/**
 * Vetted versions that a preference permits, newest first. The last preferred id of a name excludes all other versions
 * (observed on 3.5.10).
 */
export function packageCandidates(
  name: string,
  preference: readonly string[],
  packages: PackageStore,
  isVetted: (packageId: string) => boolean,
): HeldPackage[] {
  const only = preference.findLast((id) => packages.get(id)?.name === name)
  return packages.versionsOf(name).filter(({ id }) => (only === undefined || id === only) && isVetted(id))
}
