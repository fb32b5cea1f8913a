import type { Data, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ResolvedFixture, ResolvedSuite } from '../suite/resolved-suite.js'
import type { Case, Fixture, Profile, Row, Step, Suite } from '../suite/suite.js'
import { profileAtVersion, takenVersion } from './profile-at-version.js'
import { recordedProfile, recordedRules } from './recorded-suite.js'
import { resolveRow, rowId, type UnfixedRow } from './resolve-row.js'
import { type Resolving, resolvingBy } from './resolve-step.js'
import { lineOf } from './scope.js'

/** Whether somebody asks for what has this text as its id, operation or rule. */
export type Filter = (text: string) => boolean

/**
 * The suite as one profile has it with that protocol version; without one, the highest that the profile speaks of is taken.
 * With a filter, of its rows those that it may mean; plans choose among them. Throws `ResolveError` where a request cannot be made
 * as the suite says.
 */
export function resolveSuite(suite: Suite, profile: Profile, protocolVersion?: number, filter?: Filter): ResolvedSuite {
  return resolveAll(suite, profileAtVersion(profile, protocolVersion), filter)
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
  filter?: Filter,
): ResolvedSuite {
  const isSame = takenVersion(profile, before) === takenVersion(profile, now)
  return isSame ? resolved : resolveSuite(suite, profile, now, filter)
}

function resolveAll(suite: Suite, taken: Profile, filter: Filter = () => true): ResolvedSuite {
  const resolving = resolvingBy(suite, taken)
  const alone = [...suite.fixtures.values()].map((fixture) => resolveFixture(fixture, resolving))
  const fixturesOf = fixtureFinder(alone)
  const fixtures = alone.map((fixture): ResolvedFixture => ({ ...fixture, fixtures: fixturesOf(fixture) }))
  const rows = suite.cases.flatMap((suiteCase) =>
    suiteCase.rows.filter(mayBeMeant(suiteCase, filter)).map((row): ResolvedRow => {
      const resolved = resolveRow(suiteCase, row, resolving)
      return withFixtures(resolved, controlOf(suiteCase, row, fixtures, suite), fixturesOf)
    }),
  )
  return {
    version: suite.version,
    digest: suite.digest,
    ...(suite.text && { text: suite.text }),
    rules: recordedRules(suite),
    profile: recordedProfile(taken, suite),
    rows,
    rowCount: suite.cases.reduce((sum, one) => sum + one.rows.length, 0),
    fixtures,
    actors: [...suite.actors.values()].map(({ name, rights, apart }) => ({ name, rights, ...(apart && { apart }) })),
  }
}

/** The control of the operation; none for rows that are about the plain request itself, or that do not send one. */
function controlOf(
  { operation }: Case,
  { steps, uncontrolled }: Row,
  fixtures: readonly ResolvedFixture[],
  { requests }: Suite,
): ResolvedFixture | undefined {
  const isSent = steps.some(({ request }) => requests.get(request)?.operation === operation)
  return isSent && !uncontrolled ? fixtures.find(({ controls }) => controls === operation) : undefined
}

function withFixtures(
  row: UnfixedRow,
  control: ResolvedFixture | undefined,
  fixturesOf: ReturnType<typeof fixtureFinder>,
): ResolvedRow {
  const own = fixturesOf(row)
  if (!control) return { ...row, fixtures: own }
  return { ...row, fixtures: [...new Set([...own, control.name, ...control.fixtures])], control: control.name }
}

/** By what the suite says of the row; what the profile makes of it names no other rules. */
const mayBeMeant =
  (suiteCase: Case, filter: Filter) =>
  (row: Row): boolean =>
    [rowId(suiteCase, row), suiteCase.operation, ...row.rules, ...row.steps.flatMap(rulesNamedIn)].some(filter)

const rulesNamedIn = ({ outcome, expect: { status, headers, body } }: Step): string[] =>
  [outcome, status, ...(headers?.values() ?? []), ...(body?.values() ?? [])].flatMap(
    (expected) => expected?.rules ?? [],
  )

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
      return resolving.step(unjudged, { role: 'arrange', rules: [] })
    }),
    source: lineOf(location),
  }
}

interface Using {
  values: Record<string, Data>
  steps: readonly ResolvedStep[]
}

/**
 * Tells which fixtures something uses, in its values and steps, directly or through other fixtures; those that others need
 * come behind them.
 */
function fixtureFinder(fixtures: readonly (Using & Pick<ResolvedFixture, 'name'>)[]): (using: Using) => string[] {
  const byName = new Map(fixtures.map((fixture) => [fixture.name, fixture]))
  const direct = new Map(fixtures.map((fixture) => [fixture.name, namesIn(fixture)]))
  return (using) => {
    const needed = new Set<string>()
    const add = (name: string): void => {
      if (!byName.has(name) || needed.has(name)) return
      needed.add(name)
      for (const inner of direct.get(name) ?? []) add(inner)
    }
    for (const name of namesIn(using)) add(name)
    return [...needed]
  }
}

function namesIn({ values, steps }: Using): string[] {
  return [...new Set([...namesInText(JSON.stringify(values)), ...steps.flatMap(namesInStep)])]
}

/** Steps of probes stand in hundreds of rows. */
const known = new WeakMap<ResolvedStep, string[]>()

function namesInStep(step: ResolvedStep): string[] {
  const { request, token, expectations, race } = step
  const names = known.get(step) ?? namesInText(JSON.stringify([request, token?.claims, expectations, race]))
  known.set(step, names)
  return names
}

/** `${ping.contractId}` belongs to the fixture `ping`. */
const namesInText = (text: string): string[] => [
  ...new Set([...text.matchAll(/\$\{([\w-]+)[\w.-]*\}/g)].map(([, name = '']) => name)),
]
