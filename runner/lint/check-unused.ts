import { expectationsOf } from '../../record/judgements/references.js'
import type { ResolvedSuite } from '../suite/resolved-suite.js'
import type { Location, Step, Suite } from '../suite/suite.js'
import type { FindingList } from '../yaml/findings.js'

export function checkUnusedEntries(suite: Suite, resolved: readonly ResolvedSuite[], findings: FindingList): void {
  checkSituations(suite, resolved, findings)
  const report = (kind: string, values: Iterable<Named>, needed: ReadonlySet<string>): void => {
    for (const { name, location } of values) {
      if (!needed.has(name)) findings.add(location, `no case uses the ${kind} "${name}"`, 'remove it')
    }
  }
  const { fixtures, actors } = neededBy(resolved)
  const probes = new Set(suite.cases.flatMap(({ afterwards }) => afterwards ?? []))
  const steps = unresolvedSteps(suite, probes, fixtures)
  report('fixture', suite.fixtures.values(), fixtures)
  report('request', suite.requests.values(), new Set(steps.map(({ request }) => request)))
  report('probe', suite.probes.values(), probes)
  report('actor', suite.actors.values(), actors)
  report('token', suite.tokens.values(), new Set(steps.flatMap(({ token }) => token ?? [])))
}

interface Named {
  name: string
  location: Location
}

function checkSituations(suite: Suite, resolved: readonly ResolvedSuite[], findings: FindingList): void {
  const expectations = resolved.flatMap(({ rows }) => rows.flatMap(({ steps }) => steps.flatMap(expectationsOf)))
  const used = new Set(expectations.flatMap(({ situation }) => situation ?? []))
  const waiting = new Set(suite.gaps.situations.map(({ name }) => name))
  for (const { name, location } of suite.situations.values()) {
    if (used.has(name) || waiting.has(name)) continue
    findings.add(location, `no case uses the situation "${name}"`, 'write a case, or remove it')
  }
  for (const { name, location } of suite.gaps.situations) {
    if (used.has(name)) findings.add(location, `a case uses the situation "${name}"`, 'remove it from the list')
  }
}

function neededBy(resolved: readonly ResolvedSuite[]): { fixtures: Set<string>; actors: Set<string> } {
  const all = resolved.map(neededByRows)
  return {
    fixtures: new Set(all.flatMap(({ fixtures }) => [...fixtures])),
    actors: new Set(all.flatMap(({ actors }) => [...actors])),
  }
}

function neededByRows({ rows, fixtures, actors }: ResolvedSuite): { fixtures: Set<string>; actors: Set<string> } {
  const needed = new Set(rows.flatMap((row) => row.fixtures))
  const created = fixtures.filter(({ name }) => needed.has(name))
  const calling = new Set([...rows, ...created].flatMap(({ steps }) => steps.map(({ actor }) => actor)))
  // The rights of users name parties.
  const parties = actors
    .filter(({ name }) => calling.has(name))
    .flatMap(({ rights }) => rights.flatMap((right) => right.split(' ')[1] ?? []))
  return { fixtures: new Set([...needed, ...parties]), actors: calling }
}

/** Resolved rows contain no names of base requests and tokens. */
function unresolvedSteps(suite: Suite, probes: ReadonlySet<string>, fixtures: ReadonlySet<string>): Step[] {
  const ofCases = suite.cases.flatMap(({ rows, restore }) => [...rows.flatMap(({ steps }) => steps), ...restore])
  const ofProbes = [...suite.probes.values()].filter(({ name }) => probes.has(name))
  const ofFixtures = [...suite.fixtures.values()].filter(({ name }) => fixtures.has(name))
  return [
    ...ofCases,
    ...ofProbes.flatMap(({ before, after, afterAcceptance }) => [...before, ...after, ...afterAcceptance]),
    ...ofFixtures.flatMap(({ steps }) => steps),
  ]
}
