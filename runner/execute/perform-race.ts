import type { Evidence } from '../../record/record.js'
import type { Step } from '../suite/suite.js'
import type { Variables } from '../template/variables.js'
import { type PerformedStep, performStep, type Session } from './perform-step.js'

/** What came of a step that may be sent several times; `evidence` has all exchanges, in the order in which they were begun. */
export interface PerformedRace extends Omit<PerformedStep, 'evidence'> {
  evidence: Evidence[]
}

/**
 * Sends a step as often as it says, all at once; `${attempt}` counts from 1. Captures are those of the first exchange that had
 * everything, which is that of the winner.
 */
export async function performAtOnce(
  step: Step,
  purpose: Evidence['purpose'],
  variables: Variables,
  session: Session,
): Promise<PerformedRace> {
  if (!step.race) {
    const only = await performStep(step, purpose, variables, session)
    return { ...only, evidence: [only.evidence] }
  }
  const attempts = Array.from({ length: step.race.times }, (_, index) =>
    performStep(step, purpose, new Map(variables).set('attempt', index + 1), session),
  )
  const done = await Promise.all(attempts)
  const winner = done.find(({ missing }) => missing.length === 0) ?? done[0]
  const scope = new Map(winner?.variables ?? variables)
  scope.delete('attempt')
  return { evidence: done.map(({ evidence }) => evidence), variables: scope, missing: winner?.missing ?? [] }
}
