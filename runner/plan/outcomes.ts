/** What steps are expected to come to, as plans ask for it. */
import { operationNamed } from '../../interface/operations.js'
import type { Alternative, ResolvedStep } from '../../record/types/resolved-row.js'

/** The ways in which a step may be accepted or refused; empty where nothing is said of that. */
export const alternativesOf = (step: Pick<ResolvedStep, 'expectations'> | undefined): Alternative[] =>
  (step?.expectations ?? []).filter(({ kind }) => kind === 'outcome').flatMap(({ anyOf }) => anyOf)

/** Whether a target that does what is expected accepts the step, or may. */
export const mayBeAccepted = (step: ResolvedStep): boolean =>
  alternativesOf(step).some(({ outcome }) => outcome === 'accepted')

/** Whether such a target commits a transaction for it, or may. */
export const mayCommit = (step: ResolvedStep): boolean =>
  operationNamed(step.operation)?.commits === true && mayBeAccepted(step)
