/** What steps are expected to come to, as plans ask for it. */
import type { Alternative, ResolvedStep } from '../../record/resolved-row.js'

/** The ways in which a step may be accepted or refused; empty where nothing is said of that. */
export const alternativesOf = (step: Pick<ResolvedStep, 'expectations'> | undefined): Alternative[] =>
  (step?.expectations ?? []).filter(({ kind }) => kind === 'outcome').flatMap(({ anyOf }) => anyOf)

/** Operations by which a transaction is committed where they are accepted. */
const committing: ReadonlySet<string> = new Set([
  'submit-and-wait',
  'execute',
  'execute-and-wait',
  'execute-and-wait-for-transaction',
])

/** Whether a target that does what is expected commits a transaction, or may. */
export const mayCommit = (step: ResolvedStep): boolean =>
  committing.has(step.operation) && alternativesOf(step).some(({ outcome }) => outcome === 'accepted')
