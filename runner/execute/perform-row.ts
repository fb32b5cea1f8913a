import type { Evidence } from '../../record/record.js'
import type { Case, Probe, Row, Step } from '../suite.js'
import type { Variables } from '../variables.js'
import { performStep, type Session } from './perform-step.js'

/** All that happened in one row: the evidence of its steps and of the probe around them. */
export interface PerformedRow {
  evidence: Evidence[]
  variables: Variables
  /** Set when a step could not give what later ones need; those were then not sent. */
  stopped?: string
}

/** Whether a row is one that must leave no trace. */
export const isProbed = (row: Row): boolean => {
  const outcome = row.steps.at(-1)?.verdict.outcome
  return outcome !== undefined && 'refused' in outcome
}

/** Sends the steps of a row in order, with the probe before and after. */
export async function performRow(
  suiteCase: Case,
  row: Row,
  variables: Variables,
  session: Session,
): Promise<PerformedRow> {
  const name = suiteCase.afterwards
  const probe = name !== undefined && isProbed(row) ? session.suite.probes.get(name) : undefined
  const evidence: Evidence[] = []
  let scope = variables
  for (const [purpose, steps] of phases(row, probe)) {
    for (const step of steps) {
      const done = await performStep(step, purpose, scope, session)
      evidence.push(done.evidence)
      scope = done.variables
      if (done.evidence.problem?.code === 'not-sent') {
        return {
          evidence,
          variables: scope,
          stopped: `step ${step.name} was not sent: ${done.evidence.problem.message}`,
        }
      }
      if (done.missing.length > 0) {
        return { evidence, variables: scope, stopped: `step ${step.name} did not give ${done.missing.join(', ')}` }
      }
    }
  }
  return { evidence, variables: scope }
}

const phases = (row: Row, probe: Probe | undefined): [Evidence['purpose'], Step[]][] => [
  ['probe', probe?.before ?? []],
  ['test', row.steps],
  ['probe', probe?.after ?? []],
]
