import type { Judgement, RunRow, StepReference } from '../types/record.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../types/resolved-row.js'

/** In the index order of judgements: its own, then those of the others in a race. */
export const expectationsOf = ({ expectations, race }: ResolvedStep): readonly ResolvedExpectation[] =>
  race ? [...expectations, ...race.others] : expectations

export function danglingReference({ evidence, judgements, resolved }: RunRow): string | undefined {
  for (const exchange of evidence) {
    const problem = stepProblem(exchange, resolved)
    if (problem !== undefined) return `the evidence refers to ${problem}`
  }
  for (const judgement of judgements) {
    const problem = stepProblem(judgement, resolved) ?? expectationProblem(judgement, resolved)
    if (problem !== undefined) return `a judgement refers to ${problem}`
  }
  return undefined
}

function stepProblem({ step, role, attempt }: StepReference, { steps }: ResolvedRow): string | undefined {
  const found = steps[step]
  if (!found) return `step ${step}, but the row has only ${steps.length}`
  if (found.role !== role && !(role === 'late-check' && found.role === 'act'))
    return `step ${step} as ${role}, but its role is ${found.role}`
  const times = found.race?.times ?? 0
  if (attempt !== undefined && attempt > times) return `attempt ${attempt} of step ${step}, which has only ${times}`
  return undefined
}

function expectationProblem({ step, expectation }: Judgement, { steps }: ResolvedRow): string | undefined {
  const found = steps[step]
  if (!found || expectation === undefined) return undefined
  const { length } = expectationsOf(found)
  return expectation < length ? undefined : `expectation ${expectation} of step ${step}, which has only ${length}`
}
