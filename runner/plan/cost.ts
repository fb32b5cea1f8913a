/** Requests and transactions of a plan on a conforming participant. */
import type { ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import { requestsVetting } from '../target/dry-run.js'
import { alternativesOf, mayBeAccepted, mayCommit } from './outcomes.js'
import type { PlannedRow } from './select.js'

interface Running {
  rows: readonly PlannedRow[]
  alone: readonly PlannedRow[]
}

/** Upper bound of accepted submissions of the rows and fixtures; each may commit a transaction. */
export const transactionCount = ({ rows, alone }: Running, fixtures: readonly ResolvedFixture[]): number =>
  [...[...rows, ...alone].flatMap(({ row }) => stepsSent(row)), ...fixtures.flatMap(({ steps }) => steps)]
    .filter(mayCommit)
    .reduce((sum, step) => sum + winnersOf(step), 0)

/** Accepted requests of the step; for a race, the expected number. */
function winnersOf({ expectations }: ResolvedStep): number {
  const checks = expectations.flatMap(({ anyOf }) => anyOf.flatMap((alternative) => alternative.checks))
  const [count = 1] = checks.flatMap((check) => (check.on === 'winners' ? [check.count] : []))
  return count
}

export const vettingRows = ({ rows, alone }: Running): string[] =>
  [...rows, ...alone]
    .filter(({ row }) => stepsSent(row).some((step) => requestsVetting(step) && mayBeAccepted(step)))
    .map(({ row }) => row.id)

/** Includes the requests of probes. */
export const requestCount = ({ rows, alone }: Running): number =>
  [...rows, ...alone].reduce(
    (sum, { row }) => sum + stepsSent(row).reduce((own, { race }) => own + (race?.times ?? 1), 0),
    0,
  )

/** Omits presigned steps, and steps that are sent only after the other outcome. */
function stepsSent({ steps }: ResolvedRow): ResolvedStep[] {
  const alternatives = alternativesOf(steps.find(({ role }) => role === 'act'))
  const isAccepted = alternatives.length > 0 && alternatives.every(({ outcome }) => outcome === 'accepted')
  return steps.filter(
    ({ sentWhen, presigned }) => !presigned && (sentWhen === undefined || (sentWhen === 'accepted') === isAccepted),
  )
}
