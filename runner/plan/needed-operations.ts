import type { SupportName } from '../../interface/operations.js'
import type { ResolvedRow } from '../../record/types/resolved-row.js'
import { type ResolvedFixture, variablesIn } from '../suite/resolved-suite.js'
import type { Availability } from './availability.js'
import { isCreated, needsAtTarget } from './given-fixtures.js'

export interface Supplied {
  /** Fixtures with an existing party. */
  parties: ReadonlySet<string>
  synchronizer: boolean
}

/** They show which presigned transactions are unused, and when the rows began. */
export const presignedOperations: readonly SupportName[] = ['ledger-end', 'active-contracts']

export interface Need {
  operation: string
  /** The fixture that the operation creates. Absent if the row itself calls the operation. */
  fixture?: string
}

/** Without `availability`, the settings supply nothing. */
export const suppliedBy = (availability: Availability | undefined): Supplied => ({
  parties: availability?.parties ?? new Set(),
  synchronizer: availability?.unknownVariables.has('synchronizerId') === false,
})

/** No operation of the target makes such a row applicable. */
export const isOfOtherAuthorization = ({ needs }: ResolvedRow, hasTokens: boolean): boolean =>
  needs.includes(hasTokens ? 'open-access' : 'authorization')

/** Of fixtures first. An operation can occur several times. */
export function operationNeeds(
  row: ResolvedRow,
  fixtures: ReadonlyMap<string, ResolvedFixture>,
  supplied: Supplied,
): Need[] {
  const needed = row.fixtures.flatMap((name) => fixtures.get(name) ?? [])
  const ofRow = [...operationsOfVariables(row, supplied), ...operationsIn(row)]
  return [
    ...needed.flatMap((fixture) =>
      operationsForFixture(fixture, supplied).map((operation) =>
        // A control calls the operation of the row.
        fixture.controls === operation ? { operation } : { operation, fixture: fixture.name },
      ),
    ),
    ...(needsAtTarget(row, fixtures).includes('conformance-model') ? needsOfModel(needed) : []),
    ...ofRow.map((operation) => ({ operation })),
  ]
}

const operationsIn = ({ steps }: ResolvedRow | ResolvedFixture): string[] =>
  steps.flatMap(({ operation, presigned }) => (presigned ? [] : [operation]))

/** Given fixtures replace the packages. */
function needsOfModel(fixtures: readonly ResolvedFixture[]): Need[] {
  const replaceable = fixtures.filter((fixture) => isCreated(fixture) && !fixture.given)
  const all: Partial<ResolvedFixture>[] = replaceable.length === 0 ? [{}] : replaceable
  return modelOperations.flatMap((operation) =>
    all.map(({ name }) => ({ operation, ...(name !== undefined && { fixture: name }) })),
  )
}

const modelOperations: readonly SupportName[] = ['packages', 'list-vetted-packages']

function operationsForFixture(fixture: ResolvedFixture, supplied: Supplied): string[] {
  const { name, party } = fixture
  if (!party) return [...operationsOfVariables(fixture, supplied), ...operationsIn(fixture)]
  if (supplied.parties.has(name)) return []
  return party.external ? externalAllocation : ['allocate-party' satisfies SupportName]
}

const externalAllocation: SupportName[] = ['generate-external-topology', 'allocate-external-party']

function operationsOfVariables(
  { values, steps }: ResolvedRow | ResolvedFixture,
  { synchronizer }: Supplied,
): SupportName[] {
  const used = [values, ...steps].map(variablesIn)
  const isUsed = (variable: string): boolean => used.some((names) => names.has(variable))
  return [
    ...(isUsed('participantId') ? (['participant-id'] as const) : []),
    ...(!synchronizer && isUsed('synchronizerId') ? (['connected-synchronizers'] as const) : []),
  ]
}
