import type { RecordedProfile } from '../../record/types/record.js'
import type { OtherExpectations, ResolvedRow } from '../../record/types/resolved-row.js'
import { compareExpectations } from '../judge/other-expectations.js'
import { recordedProfile } from '../resolve/recorded-suite.js'
import { resolveRow, rowId, type UnfixedRow } from '../resolve/resolve-row.js'
import { resolvingBy } from '../resolve/resolve-step.js'
import { profileAtVersion } from '../resolve/resolve-suite.js'
import type { Profile, Suite } from '../suite/suite.js'

export interface OtherProfiles {
  profiles: RecordedProfile[]
  otherwise(row: ResolvedRow): Record<string, OtherExpectations>
}

/** `rows`: ids of the run. Throws `ResolveError`. */
export function otherProfiles(
  suite: Suite,
  profile: Profile,
  protocolVersion: number | undefined,
  rows: ReadonlySet<string>,
): OtherProfiles {
  const others = [...suite.profiles.values()]
    .filter(({ name }) => name !== profile.name)
    .map((other) => {
      const taken = profileAtVersion(other, protocolVersion)
      return { profile: recordedProfile(taken, suite), rows: resolveRows(suite, taken, rows) }
    })
  return {
    profiles: others.map((other) => other.profile),
    otherwise: (row) =>
      Object.fromEntries(
        others.flatMap((other) => {
          const known = other.rows.get(row.id)
          const expectations = known && compareExpectations(row, known)
          return expectations ? [[other.profile.name, expectations]] : []
        }),
      ),
  }
}

function resolveRows(suite: Suite, taken: Profile, wanted: ReadonlySet<string>): Map<string, UnfixedRow> {
  const resolving = resolvingBy(suite, taken)
  return new Map(
    suite.cases.flatMap((suiteCase) =>
      suiteCase.rows
        .filter((row) => wanted.has(rowId(suiteCase, row)))
        .map((row) => [rowId(suiteCase, row), resolveRow(suiteCase, row, resolving)] as const),
    ),
  )
}
