import type { Profile } from '../suite/suite.js'

/**
 * The profile for a synchronizer of that protocol version: its situations and divergences where they depend on it. Undefined:
 * the version is not known, and the highest that the profile speaks of is taken.
 */
export function profileAtVersion(profile: Profile, version: number | undefined): Profile {
  const taken = takenVersion(profile, version)
  const situations = new Map(profile.situations)
  for (const [name, versions] of profile.versions) {
    const fact = taken === undefined ? undefined : versions.get(taken)
    if (fact) situations.set(name, fact)
  }
  const divergences = profile.divergences.filter(
    ({ protocolVersion }) => protocolVersion === undefined || taken === undefined || protocolVersion === taken,
  )
  return { ...profile, situations, divergences }
}

/** Which version it is that makes the difference; undefined where none does. */
export const takenVersion = (profile: Profile, version: number | undefined): number | undefined =>
  version ?? highestIn(profile)

/** Undefined where the protocol version makes no difference. */
function highestIn({ versions, divergences }: Pick<Profile, 'versions' | 'divergences'>): number | undefined {
  const named = [
    ...[...versions.values()].flatMap((one) => [...one.keys()]),
    ...divergences.flatMap(({ protocolVersion }) => protocolVersion ?? []),
  ]
  return named.length === 0 ? undefined : Math.max(...named)
}
