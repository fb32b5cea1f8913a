/** Selects the facts of a profile for one protocol version. */
import type { Profile } from '../suite/suite.js'

/** For an unknown version, the highest version that the profile names applies. */
export function profileAtVersion(profile: Profile, version: number | undefined): Profile {
  const effective = effectiveVersion(profile, version)
  const situations = new Map(profile.situations)
  for (const [name, versions] of profile.versions) {
    const fact = effective === undefined ? undefined : versions.get(effective)
    if (fact) situations.set(name, fact)
  }
  const divergences = profile.divergences.filter(
    ({ protocolVersion }) => protocolVersion === undefined || effective === undefined || protocolVersion === effective,
  )
  return { ...profile, situations, divergences }
}

/** Undefined if the profile has no facts that depend on the version. */
export const effectiveVersion = (profile: Profile, version: number | undefined): number | undefined =>
  version ?? highestIn(profile)

function highestIn({ versions, divergences }: Pick<Profile, 'versions' | 'divergences'>): number | undefined {
  const named = [
    ...[...versions.values()].flatMap((one) => [...one.keys()]),
    ...divergences.flatMap(({ protocolVersion }) => protocolVersion ?? []),
  ]
  return named.length === 0 ? undefined : Math.max(...named)
}
