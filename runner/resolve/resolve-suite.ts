import { cachedBy } from '../../lib/made-once.js'
import type { Data, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { type ResolvedFixture, type ResolvedSuite, type UnlinkedFixture, variablesIn } from '../suite/resolved-suite.js'
import type { Case, Fixture, Profile, Row, Step, Suite } from '../suite/suite.js'
import { recordedProfile, recordedRules, recordedText } from './recorded-suite.js'
import { resolveRow, rowId, type UnfixedRow } from './resolve-row.js'
import { type Resolving, resolvingBy } from './resolve-step.js'

/** Receives ids, operations and rules. */
export type Filter = (text: string) => boolean

type Resolver = (filter: Filter) => ResolvedSuite

const resolvers = cachedBy((_suite: Suite) => cachedBy((_profile: Profile) => new Map<number | undefined, Resolver>()))

/**
 * Default version: the highest that the profile names. Without a filter, all rows; the filter may keep further rows. Calls with the same suite,
 * profile and version share fixtures and rows, so no caller changes them. Throws `ResolveError`.
 * @example
 * const { rows } = resolveSuite(suite, profile, 35, (text) => text.startsWith('CBI-'))
 * rows[0]?.id // 'CBI-TOKEN/none'
 */
export function resolveSuite(
  suite: Suite,
  profile: Profile,
  protocolVersion?: number,
  filter: Filter = () => true,
): ResolvedSuite {
  const known = resolvers(suite)(profile)
  const version = effectiveVersion(profile, protocolVersion)
  const resolver = known.get(version) ?? resolverOf(suite, profileAtVersion(profile, version))
  known.set(version, resolver)
  return resolver(filter)
}

function resolverOf(suite: Suite, profile: Profile): Resolver {
  const resolving = resolvingBy(suite, profile)
  const unlinked = [...suite.fixtures.values()].map((fixture) => resolveFixture(fixture, resolving))
  const fixturesOf = fixtureFinder(unlinked)
  const fixtures = unlinked.map((fixture): ResolvedFixture => ({ ...fixture, fixtures: fixturesOf(fixture) }))
  const text = recordedText(suite)
  const shared = {
    version: suite.version,
    digest: suite.digest,
    ...(text && { text }),
    rules: recordedRules(suite),
    profile: recordedProfile(profile, suite),
    rowCount: suite.cases.reduce((sum, one) => sum + one.rows.length, 0),
    fixtures,
    actors: [...suite.actors.values()].map(({ name, rights, apart }) => ({ name, rights, ...(apart && { apart }) })),
  }
  const resolvedOf = cachedBy((suiteCase: Case) =>
    cachedBy((row: Row): ResolvedRow => {
      const resolved = resolveRow(suiteCase, row, resolving)
      return withFixtures(resolved, controlOf(suiteCase, row, fixtures, suite), fixturesOf)
    }),
  )
  return (filter) => ({
    ...shared,
    rows: suite.cases.flatMap((one) => one.rows.filter(mayMatch(one, filter)).map(resolvedOf(one))),
  })
}

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

const mayMatch =
  (suiteCase: Case, filter: Filter) =>
  (row: Row): boolean =>
    namesOf(suiteCase, row).some(filter)

/** Resolution adds no rules. */
const namesOf = (suiteCase: Case, row: Row): string[] => [
  rowId(suiteCase, row),
  suiteCase.operation,
  ...rulesNamedIn(row),
]

/** By which a filter selects rows, for any profile and version. */
export const namesIn = (suite: Suite): ReadonlySet<string> =>
  new Set(suite.cases.flatMap((one) => one.rows.flatMap((row) => namesOf(one, row))))

const rulesNamedIn = ({ rules, steps }: Row): string[] => [...rules, ...steps.flatMap(rulesOfStep)]

const rulesOfStep = ({ outcome, expect: { headers, body } }: Step): string[] =>
  [outcome, ...(headers?.values() ?? []), ...(body?.values() ?? [])].flatMap((expected) => expected?.rules ?? [])

const unjudged = (step: Step): Step => ({ ...step, expect: { ...step.expect, schema: false } })

/** Steps of fixtures judge no rules. */
function resolveFixture(
  { name, location: _, values, steps, keeps: __, ...kind }: Fixture,
  resolving: Resolving,
): UnlinkedFixture {
  return {
    name,
    ...kind,
    values,
    steps: resolving.steps(steps.map(unjudged), { role: 'arrange', rules: [] }),
  }
}

interface Using {
  values: Record<string, Data>
  steps: readonly ResolvedStep[]
}

/** Dependents first. */
function fixtureFinder(fixtures: readonly UnlinkedFixture[]): (using: Using) => string[] {
  const direct = new Map(
    fixtures.map(({ name, values, steps }) => [
      name,
      new Set([...fixturesIn(variablesIn(values)), ...steps.flatMap((step) => fixturesIn(variablesOfStep(step)))]),
    ]),
  )
  const neededBy = (names: readonly string[]): string[] => {
    const needed = new Set<string>()
    const add = (name: string): void => {
      const inner = direct.get(name)
      if (!inner || needed.has(name)) return
      needed.add(name)
      for (const one of inner) add(one)
    }
    for (const name of names) add(name)
    return [...needed]
  }
  // Steps of probes occur in hundreds of rows.
  const neededByStep = cachedBy((step: ResolvedStep) => neededBy(fixturesIn(variablesOfStep(step))))
  return ({ values, steps }) => [
    ...new Set([...neededBy(fixturesIn(variablesIn(values))), ...steps.flatMap(neededByStep)]),
  ]
}

/** `changes` may name variables that a later change replaced: the request has the final ones. Other members contain none. */
const variablesOfStep = cachedBy(
  ({ request, token, expectations, race }: ResolvedStep): ReadonlySet<string> =>
    new Set([
      ...variablesIn(request),
      ...(token?.claims ? variablesIn(token.claims) : []),
      ...[...expectations, ...(race?.others ?? [])].flatMap(({ anyOf }) => [...variablesIn(anyOf)]),
    ]),
)

/** `${ping.contractId}` belongs to the fixture `ping`. */
const fixturesIn = (variables: ReadonlySet<string>): string[] => [...variables].map((name) => name.replace(/\..*/, ''))

/** Default version: the highest that the profile names. */
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

/** Undefined: no fact depends on the version. */
const effectiveVersion = (profile: Profile, version: number | undefined): number | undefined =>
  version ?? highestIn(profile)

function highestIn({ versions, divergences }: Profile): number | undefined {
  const named = [
    ...[...versions.values()].flatMap((one) => [...one.keys()]),
    ...divergences.flatMap(({ protocolVersion }) => protocolVersion ?? []),
  ]
  return named.length === 0 ? undefined : Math.max(...named)
}
