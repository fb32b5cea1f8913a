import type { Judgement, RunRow } from './record.js'
import { expectationsOf } from './references.js'
import type { ResolvedRow } from './resolved-row.js'

type Judged = Pick<RunRow, 'resolved' | 'judgements'>

/**
 * The judgements that count for or against the row and its rules: all of the request under test, and of the late look for its
 * effects; of the other steps what is
 * expected of the content of an answer that was as it should be. That such a step is accepted only means that it did its
 * part, and what restores judges nothing.
 */
export function countingJudgements({ resolved, judgements }: Judged): Judgement[] {
  const blind = new Set(judgements.filter((one) => !one.met && isOutcome(one, resolved)).map(({ step }) => step))
  return judgements.filter((one) => {
    if (one.role === 'act' || one.role === 'late-look') return true
    return one.role !== 'restore' && !isOutcome(one, resolved) && !blind.has(one.step)
  })
}

/** Whether it says that the step was answered at all, and accepted or refused as it should be. */
export function isOutcome({ step, expectation }: Judgement, { steps }: ResolvedRow): boolean {
  const found = steps[step]
  const kind = found && expectation !== undefined ? expectationsOf(found)[expectation]?.kind : undefined
  return kind !== 'content' && kind !== 'shape'
}
