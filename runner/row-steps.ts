/** All steps of a row in the order in which they are sent: its own, those of the probe around them, and those that put back what it changed. */
import type { Evidence } from '../record/record.js'
import type { Case, Probe, Row, Step, Suite } from './suite/suite.js'

export interface RowStep {
  role: 'set-up' | 'test' | 'probe' | 'restore'
  step: Step
  /** Rules that the step's expectations judge. */
  rules: readonly string[]
  /** Only sent when the step under test was answered like that. */
  when?: 'accepted' | 'refused'
}

/** The probe around a row: one that is to be refused must leave no trace; what is accepted must have its effect. */
function probeOf(suiteCase: Case, row: Row, suite: Suite): Probe | undefined {
  const outcome = row.steps.at(-1)?.verdict.outcome
  const name = suiteCase.afterwards
  if (name === undefined || !outcome) return undefined
  const probe = suite.probes.get(name)
  if (!probe) throw new Error(`no probe is called ${name}`)
  return 'refused' in outcome || probe.afterAcceptance.length > 0 ? probe : undefined
}

/** All steps that a row may send; which of them it does send, `isSent` tells once the step under test has its answer. */
export function stepsOfRow(suiteCase: Case, row: Row, suite: Suite): RowStep[] {
  const probe = probeOf(suiteCase, row, suite)
  const probing = (steps: readonly Step[] = [], more: Partial<RowStep> = {}): RowStep[] =>
    steps.map((step) => ({ role: 'probe', step, rules: probe?.rules ?? [], ...more }))
  const own = row.steps.map(
    (step, index): RowStep => ({ role: index < row.steps.length - 1 ? 'set-up' : 'test', step, rules: row.rules }),
  )
  const restoring = suiteCase.restore.map((step): RowStep => ({ role: 'restore', step, rules: row.rules }))
  return [
    ...probing(probe?.before),
    ...own,
    ...probing(probe?.after, { when: 'refused' }),
    ...probing(probe?.afterAcceptance, { when: 'accepted', rules: row.rules }),
    ...restoring,
  ]
}

/** `tested`: the evidence of the step under test; empty where it has not come to that. Of several at once one that is accepted is enough. */
export function isSent({ when }: RowStep, tested: readonly Evidence[]): boolean {
  if (when === undefined) return true
  const accepted = tested.some(({ response }) => Math.floor((response?.status ?? 0) / 100) === 2)
  return accepted === (when === 'accepted')
}

/** How often each step is sent, one after the other, as evidence holds it. */
export const exchangesOf = (steps: readonly RowStep[]): RowStep[] =>
  steps.flatMap((rowStep) => Array.from({ length: rowStep.step.race?.times ?? 1 }, () => rowStep))

/** The purpose under which evidence files a step. */
export const purposeOf = ({ role }: RowStep): Evidence['purpose'] =>
  role === 'probe' || role === 'restore' ? 'probe' : 'test'
