import type { Fixture } from '../suite.js'
import { fixtureVariables } from './check-variables.js'
import type { Reading } from './reading.js'

/** Fixtures that need each other can never be made: every ring is a finding, at its first fixture. */
export function checkFixtureOrder(fixtures: ReadonlyMap<string, Fixture>, reading: Reading): void {
  const needs = fixtureNeeds(fixtures, reading)
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    const start = path.indexOf(name)
    if (start >= 0) {
      const ring = [...path.slice(start), name]
      const fixture = fixtures.get(name)
      if (fixture) reading.findings.add(fixture.place, `fixtures need each other in a ring: ${ring.join(' -> ')}`)
    }
    if (start >= 0 || done.has(name)) return
    for (const needed of needs.get(name) ?? []) visit(needed, [...path, name])
    done.add(name)
  }
  for (const name of fixtures.keys()) visit(name, [])
}

/** By name of a fixture: the others whose variables its steps use. */
function fixtureNeeds(fixtures: ReadonlyMap<string, Fixture>, reading: Reading): Map<string, Set<string>> {
  const owners = fixtureVariables(fixtures)
  const needs = new Map<string, Set<string>>()
  for (const { fixture, steps } of reading.sequences) {
    if (fixture === undefined) continue
    const uses = steps.flatMap((step) => [
      ...step.uses,
      ...step.judging,
      ...(step.request ? (reading.requestUses.get(step.request.name) ?? []) : []),
    ])
    const others = uses.flatMap(({ name }) => owners.get(name) ?? []).filter((owner) => owner !== fixture)
    needs.set(fixture, new Set(others))
  }
  return needs
}
