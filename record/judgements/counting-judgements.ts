import { isOperationName } from '../../interface/operations.js'
import { cachedBy } from '../../lib/made-once.js'
import type { Judgement } from '../types/record.js'
import type { Confidence, ResolvedExpectation, ResolvedRow, Strength } from '../types/resolved-row.js'
import { expectationsOf } from './references.js'

interface Judged {
  resolved: ResolvedRow
  judgements: Judgement[]
}

/** Reports count the judgements of a row several times. */
export const countingJudgements = cachedBy((row: Judged) => countIn(row))

/**
 * All judgements of the request under test and of its late-effects check count. Of other steps, only content counts,
 * if the outcome is as expected.
 */
function countIn({ resolved, judgements }: Judged): Judgement[] {
  const blind = new Set(judgements.filter((one) => !one.met && isOutcome(one, resolved)).map(({ step }) => step))
  const broken = brokenSupport(judgements, resolved)?.step
  return judgements.filter((one) => {
    if (one.role === 'late-check') return true
    if (one.role === 'act') return one.step !== broken
    return one.role !== 'restore' && !isOutcome(one, resolved) && !blind.has(one.step)
  })
}

/** A read that no rule is about failed, so it shows nothing: with a server error, or without a complete answer. */
export const brokenSupport = (judgements: readonly Judgement[], row: ResolvedRow): Judgement | undefined =>
  judgements.find(
    (one) =>
      one.role === 'act' &&
      !one.met &&
      (kindOf(one, row) === 'server-error' || one.check === 'answer') &&
      isSupporting(one, row),
  )

const isSupporting = ({ step }: Judgement, { steps }: ResolvedRow): boolean =>
  steps.some(isJudged) && !steps.slice(step, step + 1).some(isJudged)

const isJudged = ({ operation }: { operation: string }): boolean => isOperationName(operation)

/** Whether it judges the outcome of the step, not its content. */
export function isOutcome(judgement: Judgement, row: ResolvedRow): boolean {
  const kind = kindOf(judgement, row)
  return kind !== 'content' && kind !== 'shape'
}

function kindOf({ step, expectation }: Judgement, { steps }: ResolvedRow): ResolvedExpectation['kind'] | undefined {
  const found = steps[step]
  return found && expectation !== undefined ? expectationsOf(found)[expectation]?.kind : undefined
}

export function unmetVerdict({
  strength,
  confidence,
}: {
  strength: Strength
  confidence: Confidence
}): 'fail' | 'warning' | 'not-applicable' {
  if (strength === 'may' || strength === 'client') return 'not-applicable'
  return strength === 'should' || confidence === 'read' ? 'warning' : 'fail'
}
