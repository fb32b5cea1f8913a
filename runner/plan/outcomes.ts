import { operationNamed } from '../../interface/operations.js'
import type { Alternative, ResolvedStep } from '../../record/types/resolved-row.js'

/** Empty without an expected outcome. */
export const alternativesOf = (step: Pick<ResolvedStep, 'expectations'> | undefined): Alternative[] =>
  (step?.expectations ?? []).filter(({ kind }) => kind === 'outcome').flatMap(({ anyOf }) => anyOf)

/** Whether a conforming participant may accept the step. */
export const mayBeAccepted = (step: ResolvedStep): boolean =>
  alternativesOf(step).some(({ outcome }) => outcome === 'accepted')

export const mayCommit = (step: ResolvedStep): boolean =>
  operationNamed(step.operation)?.commits === true && mayBeAccepted(step)
