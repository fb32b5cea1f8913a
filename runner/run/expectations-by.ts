import type { OtherExpectations, ResolvedRow } from '../../record/types/resolved-row.js'
import { compareExpectations } from '../judge/other-expectations.js'
import { resolveRow, rowId, type UnfixedRow } from '../resolve/resolve-row.js'
import { resolvingBy } from '../resolve/resolve-step.js'
import { profileAtVersion } from '../resolve/resolve-suite.js'
import { type Profile, type Suite, textProfile } from '../suite/suite.js'

/** What another profile expects of the requests of a row; undefined if it needs other requests. */
export type ExpectationsBy = (row: ResolvedRow) => OtherExpectations | undefined

/** `rows`: ids. Throws `ResolveError`. */
export function expectationsBy(
  profile: Profile,
  suite: Suite,
  protocolVersion: number | undefined,
  rows: ReadonlySet<string>,
): ExpectationsBy {
  const resolving = resolvingBy(suite, profileAtVersion(profile, protocolVersion))
  const byId = new Map(
    suite.cases.flatMap((suiteCase) =>
      suiteCase.rows
        .filter((row) => rows.has(rowId(suiteCase, row)))
        .map((row): [string, UnfixedRow] => [rowId(suiteCase, row), resolveRow(suiteCase, row, resolving)]),
    ),
  )
  return (row) => {
    const other = byId.get(row.id)
    return other && compareExpectations(row, other)
  }
}

/** Of the interface text alone; undefined for each row if it is the `profile` of the run. */
export function expectationsByText(
  profile: Profile,
  suite: Suite,
  protocolVersion: number | undefined,
  rows: ReadonlySet<string>,
): ExpectationsBy {
  const text = suite.profiles.get(textProfile)
  return text && text.name !== profile.name
    ? expectationsBy(text, suite, protocolVersion, rows)
    : () => undefined
}
