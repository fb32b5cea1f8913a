import type { FindingList } from '../load/finding-list.js'
import { neededFixtures } from '../provision/fixtures.js'
import { stepsOfRow } from '../row-steps.js'
import { actorOf, type Location, type Step, type Suite } from '../suite/suite.js'

/** What no case needs: conditions, fixtures, requests, probes, actors and tokens. */
export function checkLeftovers(suite: Suite, findings: FindingList): void {
  checkConditions(suite, findings)
  const used = usedBy(suite)
  const left = (what: string, values: Iterable<{ name: string; location: Location }>, needed: ReadonlySet<string>): void => {
    for (const { name, location } of values) {
      if (!needed.has(name)) findings.add(location, `no case uses the ${what} "${name}"`, 'take it out')
    }
  }
  left('fixture', suite.fixtures.values(), used.fixtures)
  left('request', suite.requests.values(), new Set(used.steps.map(({ request }) => request)))
  left('probe', suite.probes.values(), new Set(suite.cases.flatMap(({ afterwards }) => afterwards ?? [])))
  left('actor', suite.actors.values(), used.actors)
  left('token', suite.tokens.values(), new Set(used.steps.flatMap(({ token }) => token ?? [])))
}

function checkConditions(suite: Suite, findings: FindingList): void {
  const used = new Set(conditionsOf(suite))
  const waiting = new Set(suite.gaps.conditions.map(({ name }) => name))
  for (const { name, location } of suite.conditions.values()) {
    if (used.has(name) || waiting.has(name)) continue
    findings.add(location, `no case uses the condition "${name}"`, 'write one, or take it out')
  }
  for (const { name, location } of suite.gaps.conditions) {
    if (used.has(name)) findings.add(location, `a case uses the condition "${name}" by now`, 'take it out of the list')
  }
}

/** Conditions under which some step is to be refused. */
const conditionsOf = ({ cases }: Suite): string[] =>
  cases.flatMap(({ rows }) =>
    rows.flatMap(({ steps }) =>
      steps.flatMap(({ race, verdict: { outcome } }) => [
        ...(outcome && 'refused' in outcome ? [outcome.refused] : []),
        ...(race ? [race.others] : []),
      ]),
    ),
  )

interface Used {
  fixtures: Set<string>
  /** Of rows, of the probes around them, and of the fixtures that they need. */
  steps: Step[]
  actors: Set<string>
}

function usedBy(suite: Suite): Used {
  const planned = suite.cases.flatMap((suiteCase) => suiteCase.rows.map((row) => ({ case: suiteCase, row })))
  const fixtures = neededFixtures(planned, suite)
  const ofRows = planned.flatMap(({ case: suiteCase, row }) => stepsOfRow(suiteCase, row, suite))
  const steps = [
    ...ofRows.map(({ step }) => step),
    ...[...fixtures].flatMap((name) => suite.fixtures.get(name)?.steps ?? []),
  ]
  const actors = new Set(
    steps.flatMap((step) => {
      const base = suite.requests.get(step.request)
      return base ? [actorOf(step, base)] : []
    }),
  )
  // Users are made with their rights, which needs the parties in them.
  const parties = [...actors]
    .flatMap((name) => suite.actors.get(name)?.rights ?? [])
    .flatMap((right) => right.split(' ')[1] ?? [])
  return { fixtures: new Set([...fixtures, ...parties]), steps, actors }
}
