import { operationNames } from '../../interface/operations.js'
import type { Judgement, RunRow } from '../types/record.js'
import type { ResolvedExpectation, ResolvedRow } from '../types/resolved-row.js'
import { expectationsOf } from './references.js'

type Judged = Pick<RunRow, 'resolved' | 'judgements'>

/**
 * The judgements that count for or against the row and its rules: all of the request under test, and of the late look for its
 * effects; of the other steps what is
 * expected of the content of an answer that was as it should be. That such a step is accepted only means that it did its
 * part, and what restores judges nothing. A supporting operation that answers with a server error shows nothing of the row.
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

/** The server error of a supporting operation where the row has it as its request under test; undefined: there is none. */
export const brokenSupport = (judgements: readonly Judgement[], row: ResolvedRow): Judgement | undefined =>
  judgements.find(
    (one) => one.role === 'act' && !one.met && kindOf(one, row) === 'server-error' && isSupporting(one, row),
  )

/** It only reads what a request of an operation under test did before it. */
const isSupporting = ({ step }: Judgement, { steps }: ResolvedRow): boolean =>
  steps.some(isJudged) && !steps.slice(step, step + 1).some(isJudged)

const isJudged = ({ operation }: { operation: string }): boolean => operationNames.some((name) => name === operation)

/** Whether it says that the step was answered at all, and accepted or refused as it should be. */
export function isOutcome(judgement: Judgement, row: ResolvedRow): boolean {
  const kind = kindOf(judgement, row)
  return kind !== 'content' && kind !== 'shape'
}

function kindOf({ step, expectation }: Judgement, { steps }: ResolvedRow): ResolvedExpectation['kind'] | undefined {
  const found = steps[step]
  return found && expectation !== undefined ? expectationsOf(found)[expectation]?.kind : undefined
}
