/** What the other profiles of a suite expect, for records that are judged again, and for failures that are known elsewhere. */
import type { RecordedProfile } from '../record/record.js'
import type { OtherExpectations, ResolvedRow } from '../record/resolved-row.js'
import { otherExpectations } from './judge/by-another-profile.js'
import { resolveSuite } from './resolve/resolve-suite.js'
import type { Profile, Suite } from './suite/suite.js'

export interface OtherProfiles {
  profiles: RecordedProfile[]
  /** By name of the profile. */
  otherwise(row: ResolvedRow): Record<string, OtherExpectations>
}

/** `profile`: by which the run is judged, with that protocol version. */
export function otherProfiles(suite: Suite, profile: Profile, protocolVersion: number | undefined): OtherProfiles {
  const others = [...suite.profiles.values()]
    .filter(({ name }) => name !== profile.name)
    .map((other) => {
      const resolved = resolveSuite(suite, other, protocolVersion)
      return { profile: resolved.profile, rows: new Map(resolved.rows.map((row) => [row.id, row])) }
    })
  return {
    profiles: others.map((other) => other.profile),
    otherwise: (row) =>
      Object.fromEntries(
        others.flatMap((other) => {
          const known = other.rows.get(row.id)
          const expectations = known && otherExpectations(row, known)
          return expectations ? [[other.profile.name, expectations]] : []
        }),
      ),
  }
}
