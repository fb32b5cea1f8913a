import type { Evidence } from '../../record/record.js'
import { isSent, purposeOf, stepsOfRow } from '../row-steps.js'
import type { Case, Row } from '../suite/suite.js'
import { type Variables, withValues } from '../template/variables.js'
import { performAtOnce } from './perform-race.js'
import type { Session } from './perform-step.js'

/** All that happened in one row: the evidence of its steps and of the probe around them, in the order of sending. */
export interface PerformedRow {
  evidence: Evidence[]
  variables: Variables
  /** Set when a step could not give what later ones need; those were then not sent. */
  stopped?: string
}

/** Sends the steps of a row in order, with the probe before and after. What restores is sent in any case. */
export async function performRow(
  suiteCase: Case,
  row: Row,
  variables: Variables,
  session: Session,
): Promise<PerformedRow> {
  const evidence: Evidence[] = []
  let scope = withValues(row.values, variables, session.keys)
  let stopped: string | undefined
  let tested: readonly Evidence[] = []
  for (const rowStep of stepsOfRow(suiteCase, row, session.suite)) {
    const { step, role } = rowStep
    if (!isSent(rowStep, tested) || (stopped !== undefined && role !== 'restore')) continue
    const done = await performAtOnce(step, purposeOf(rowStep), scope, session)
    evidence.push(...done.evidence)
    if (role === 'test') tested = done.evidence
    scope = done.variables
    const problem = done.evidence.find((one) => one.problem?.code === 'not-sent')?.problem
    if (problem) stopped ??= `step ${step.name} was not sent: ${problem.message}`
    else if (done.missing.length > 0) stopped ??= `step ${step.name} did not give ${done.missing.join(', ')}`
  }
  return { evidence, variables: scope, ...(stopped !== undefined && { stopped }) }
}
