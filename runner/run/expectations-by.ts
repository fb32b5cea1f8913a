import { once } from '../../lib/made-once.js'
import type { RunRecord } from '../../record/types/record.js'
import type { OtherExpectations, ResolvedRow } from '../../record/types/resolved-row.js'
import { judgeAgain } from '../judge/judge-again.js'
import { compareExpectations } from '../judge/other-expectations.js'
import { recordedProfile } from '../resolve/recorded-suite.js'
import { resolveRow, rowId } from '../resolve/resolve-row.js'
import { resolvingBy } from '../resolve/resolve-step.js'
import { profileAtVersion } from '../resolve/resolve-suite.js'
import { type Profile, type Suite, textProfile } from '../suite/suite.js'

/** What another profile expects of the requests of a row; undefined if it needs other requests. Throws `ResolveError`. */
export type ExpectationsBy = (row: ResolvedRow) => OtherExpectations | undefined

/** Resolves only the rows that a caller asks for. */
function expectationsBy(profile: Profile, suite: Suite, protocolVersion: number | undefined): ExpectationsBy {
  const resolving = once(() => resolvingBy(suite, profileAtVersion(profile, protocolVersion)))
  const rows = once(
    () =>
      new Map(
        suite.cases.flatMap((suiteCase) => suiteCase.rows.map((row) => [rowId(suiteCase, row), { suiteCase, row }])),
      ),
  )
  return (row) => {
    const found = rows().get(row.id)
    return found && compareExpectations(row, resolveRow(found.suiteCase, found.row, resolving()))
  }
}

/** Of the interface text alone; undefined for each row if it is the `profile` of the run. */
export function expectationsByText(
  profile: Profile,
  suite: Suite,
  protocolVersion: number | undefined,
): ExpectationsBy {
  const text = suite.profiles.get(textProfile)
  return text && text.name !== profile.name ? expectationsBy(text, suite, protocolVersion) : () => undefined
}

/** Judges the evidence again by a profile of the suite of the run. Throws `ResolveError`. */
export function judgeBy(record: RunRecord, profile: Profile, suite: Suite): RunRecord {
  const { header } = record
  const { protocolVersion } = header.target
  if (profile.name === header.profile.name) return judgeAgain(record)
  return judgeAgain(record, {
    profile: recordedProfile(profileAtVersion(profile, protocolVersion), suite),
    expectations: expectationsBy(profile, suite, protocolVersion),
    byText: expectationsByText(profile, suite, protocolVersion),
  })
}
