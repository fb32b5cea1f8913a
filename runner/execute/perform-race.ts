import type { Evidence } from '../../record/record.js'
import type { ResolvedStep } from '../../record/resolved-row.js'
import type { Variables } from '../template/variables.js'
import { type PerformedStep, performStep } from './perform-step.js'
import type { Session } from './session.js'
import type { ExchangeLabel } from './transport.js'

/** What came of a step that may be sent several times; `evidence` has all exchanges, in the order in which they were begun. */
export interface PerformedRace extends Omit<PerformedStep, 'evidence'> {
  evidence: Evidence[]
}

/**
 * Sends a step as often as it says, all at once; `${attempt}` counts from 1. Captures are those of the first exchange that had
 * everything, which is that of the winner.
 */
export async function performAtOnce(
  step: ResolvedStep,
  label: ExchangeLabel,
  variables: Variables,
  session: Session,
): Promise<PerformedRace> {
  if (!step.race) {
    const only = await performStep(step, label, variables, session)
    return { ...only, evidence: [only.evidence] }
  }
  const attempts = Array.from({ length: step.race.times }, (_, index) => {
    const attempt = index + 1
    return performStep(step, { ...label, attempt }, new Map(variables).set('attempt', attempt), session)
  })
  // Nothing may come after an attempt that is still under way, and least of all what puts back its changes.
  const settled = await Promise.allSettled(attempts)
  const done = settled.map((one) => {
    if (one.status === 'fulfilled') return one.value
    throw one.reason
  })
  const winner = done.find(({ missing }) => missing.length === 0) ?? done[0]
  const scope = new Map(winner?.variables ?? variables)
  scope.delete('attempt')
  return { evidence: done.map(({ evidence }) => evidence), variables: scope, missing: winner?.missing ?? [] }
}
