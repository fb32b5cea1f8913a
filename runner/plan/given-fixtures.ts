/** Fixtures that the settings supply. The run sends none of their steps. */
import { operationNamed } from '../../interface/operations.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import type { GivenFixtures } from '../target/target-file.js'

export const withGiven = <Suite extends { fixtures: ResolvedFixture[] }>(suite: Suite, given: GivenFixtures): Suite =>
  given.size === 0 ? suite : { ...suite, fixtures: suite.fixtures.map((fixture) => replaced(fixture, given)) }

function replaced(fixture: ResolvedFixture, given: GivenFixtures): ResolvedFixture {
  const values = given.get(fixture.name)
  if (values === undefined || fixture.given) return fixture
  const captured = fixture.steps.flatMap(({ capture }) => Object.keys(capture))
  const members = captured.flatMap((variable) => memberOf(fixture.name, variable))
  const omitted = members.filter((member) => !Object.hasOwn(values, member))
  return { ...fixture, steps: [], given: { values, omitted } }
}

/** Such as `contractId` of the captured variable `ping.contractId`. */
export const memberOf = (fixture: string, variable: string): string[] =>
  variable.startsWith(`${fixture}.`) ? [variable.slice(fixture.length + 1)] : []

/** Variables without a value, each with its setting in a target file. */
export const listOmitted = (fixtures: readonly ResolvedFixture[]): [variable: string, setting: string][] =>
  fixtures.flatMap(({ name, given }) =>
    (given?.omitted ?? []).map((member): [string, string] => [`${name}.${member}`, `given: ${name}: ${member}`]),
  )

/** If the settings supply every contract of the row, the target needs no package of the conformance model. */
export const needsAtTarget = (row: ResolvedRow, fixtures: ReadonlyMap<string, ResolvedFixture>): readonly string[] =>
  isGiven(row, fixtures) ? row.needs.filter((need) => need !== 'conformance-model') : row.needs

function isGiven(row: ResolvedRow, fixtures: ReadonlyMap<string, ResolvedFixture>): boolean {
  const created = row.fixtures.flatMap((name) => fixtures.get(name) ?? []).filter(isCreated)
  return created.length > 0 && created.every(({ given }) => given) && !row.steps.some(changesLedger)
}

/** By steps that the settings can replace. */
export const isCreated = ({ party, key, prepared, controls }: ResolvedFixture): boolean =>
  !party && !key && !prepared && controls === undefined

function changesLedger({ operation }: ResolvedRow['steps'][number]): boolean {
  const { commits, changes } = operationNamed(operation) ?? {}
  return commits === true || changes !== undefined
}
