import type { ResolvedRow } from '../../record/resolved-row.js'
import type { ResolvedFixture, ResolvedSuite } from '../suite/resolved-suite.js'
import type { Fixture, Profile, Suite } from '../suite/suite.js'
import { fixtureFinder } from './needed-fixtures.js'
import { profileAtVersion, takenVersion } from './profile-at-version.js'
import { recordedProfile, recordedRules } from './recorded-texts.js'
import { resolveRow } from './resolve-row.js'
import { type Resolving, resolveStep, resolvingBy } from './resolve-step.js'
import { lineOf } from './scope.js'

/**
 * The suite as one profile has it with that protocol version; without one, the highest that the profile speaks of is taken.
 * Throws `ResolveError` where a request cannot be made as the suite says.
 */
export function resolveSuite(suite: Suite, profile: Profile, protocolVersion?: number): ResolvedSuite {
  return resolveAll(suite, profileAtVersion(profile, protocolVersion))
}

/**
 * `resolved` as it is with a protocol version that only showed later; the very same where that makes no difference. Throws as
 * `resolveSuite` does.
 */
export function resolveAgain(
  resolved: ResolvedSuite,
  suite: Suite,
  profile: Profile,
  [before, now]: readonly [number | undefined, number | undefined],
): ResolvedSuite {
  return takenVersion(profile, before) === takenVersion(profile, now) ? resolved : resolveSuite(suite, profile, now)
}

function resolveAll(suite: Suite, taken: Profile): ResolvedSuite {
  const resolving = resolvingBy(suite, taken)
  const alone = [...suite.fixtures.values()].map((fixture) => resolveFixture(fixture, resolving))
  const fixturesOf = fixtureFinder(alone)
  const fixtures = alone.map((fixture): ResolvedFixture => ({ ...fixture, fixtures: fixturesOf(fixture) }))
  const rows = suite.cases.flatMap((suiteCase) =>
    suiteCase.rows.map((row): ResolvedRow => {
      const resolved = resolveRow(suiteCase, row, resolving)
      return { ...resolved, fixtures: fixturesOf(resolved) }
    }),
  )
  return {
    version: suite.version,
    digest: suite.digest,
    ...(suite.text && { text: suite.text }),
    rules: recordedRules(suite),
    profile: recordedProfile(taken, suite),
    rows,
    fixtures,
    actors: [...suite.actors.values()].map(({ name, rights, apart }) => ({ name, rights, ...(apart && { apart }) })),
  }
}

/** What a fixture is made by judges no rule: it is there, or it is not. */
function resolveFixture(
  { name, location, values, steps, ...kind }: Fixture,
  resolving: Resolving,
): Omit<ResolvedFixture, 'fixtures'> {
  return {
    name,
    ...kind,
    values: Object.fromEntries(values),
    steps: steps.map((step) => {
      const unjudged = { ...step, expect: { ...step.expect, schema: false } }
      return resolveStep(unjudged, { role: 'arrange', rules: [] }, resolving)
    }),
    source: lineOf(location),
  }
}
