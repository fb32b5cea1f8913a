/** What steps are expected to come to, as plans ask for it. */
import { type Operation, operations, supportOperations } from '../../interface/operations.js'
import type { Alternative, ResolvedStep } from '../../record/resolved-row.js'

/** The ways in which a step may be accepted or refused; empty where nothing is said of that. */
export const alternativesOf = (step: Pick<ResolvedStep, 'expectations'> | undefined): Alternative[] =>
  (step?.expectations ?? []).filter(({ kind }) => kind === 'outcome').flatMap(({ anyOf }) => anyOf)

const known: ReadonlyMap<string, Operation> = new Map(Object.entries({ ...operations, ...supportOperations }))

/** Whether a target that does what is expected commits a transaction, or may. */
export const mayCommit = (step: ResolvedStep): boolean =>
  known.get(step.operation)?.commits === true && alternativesOf(step).some(({ outcome }) => outcome === 'accepted')
