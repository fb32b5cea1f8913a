/** Judgements that count for a row and its rules. */
import { operationNames } from '../../interface/operations.js'
import type { Judgement, RunRow } from '../types/record.js'
import type { ResolvedExpectation, ResolvedRow } from '../types/resolved-row.js'
import { expectationsOf } from './references.js'

type Judged = Pick<RunRow, 'resolved' | 'judgements'>

/**
 * All judgements of the request under test and of its late-effects check count. Of other steps, only content counts, if the outcome
 * is as expected. Restoring steps and server errors of supporting operations do not count.
 */
export function countingJudgements({ resolved, judgements }: Judged): Judgement[] {
  const blind = new Set(judgements.filter((one) => !one.met && isOutcome(one, resolved)).map(({ step }) => step))
  const broken = brokenSupport(judgements, resolved)?.step
  return judgements.filter((one) => {
    if (one.role === 'late-look') return true
    if (one.role === 'act') return one.step !== broken
    return one.role !== 'restore' && !isOutcome(one, resolved) && !blind.has(one.step)
  })
}

/** The server error of a supporting operation that is the request under test. */
export const brokenSupport = (judgements: readonly Judgement[], row: ResolvedRow): Judgement | undefined =>
  judgements.find(
    (one) => one.role === 'act' && !one.met && kindOf(one, row) === 'server-error' && isSupporting(one, row),
  )

/** Another step of the row calls an operation under test. */
const isSupporting = ({ step }: Judgement, { steps }: ResolvedRow): boolean =>
  steps.some(isJudged) && !steps.slice(step, step + 1).some(isJudged)

const isJudged = ({ operation }: { operation: string }): boolean => operationNames.some((name) => name === operation)

/** Whether it judges the outcome of the step, not its content. */
export function isOutcome(judgement: Judgement, row: ResolvedRow): boolean {
  const kind = kindOf(judgement, row)
  return kind !== 'content' && kind !== 'shape'
}

function kindOf({ step, expectation }: Judgement, { steps }: ResolvedRow): ResolvedExpectation['kind'] | undefined {
  const found = steps[step]
  return found && expectation !== undefined ? expectationsOf(found)[expectation]?.kind : undefined
}
