import type { Evidence } from '../../record/record.js'
import type { ResolvedRow } from '../../record/resolved-row.js'
import { isSent } from '../judge/sent-steps.js'
import { byKeys } from '../template/keyed-generation.js'
import { type Variables, withValues } from '../template/variables.js'
import { performAtOnce } from './perform-race.js'
import type { Session } from './session.js'

/** All that happened in one row: the evidence of its steps, in the order of sending. */
export interface PerformedRow {
  evidence: Evidence[]
  variables: Variables
  /** Set when a step could not give what later ones need; those were then not sent. */
  stopped?: string
  /** An error that nobody designed: what later steps would have found is unknown. */
  fault?: unknown
  /** The run was ended before all steps were sent. */
  cutShort?: true
}

/** Sends the steps of a row in order. What restores is sent in any case: after a fault, and when the run is being ended. */
export async function performRow(
  row: ResolvedRow,
  variables: Variables,
  session: Session,
  isOver: () => boolean = () => false,
): Promise<PerformedRow> {
  const evidence: Evidence[] = []
  let scope = withValues(row.values, variables, byKeys(session.keys))
  let stopped: string | undefined
  const faults: unknown[] = []
  let cutShort = false
  for (const [index, step] of row.steps.entries()) {
    const { role, name } = step
    if (!isSent(step, evidence)) continue
    if (role !== 'restore') {
      cutShort ||= isOver()
      if (cutShort || stopped !== undefined || faults.length > 0) continue
    }
    const done = await performAtOnce(step, { step: index, role }, scope, session).catch((error: unknown) => {
      faults.push(error)
    })
    if (!done) continue
    evidence.push(...done.evidence)
    scope = done.variables
    const problem = done.evidence.find((one) => one.problem?.code === 'not-sent')?.problem
    if (problem) stopped ??= `step ${name} was not sent: ${problem.message}`
    else if (done.missing.length > 0) stopped ??= `step ${name} did not give ${done.missing.join(', ')}`
  }
  return {
    evidence,
    variables: scope,
    ...(stopped !== undefined && { stopped }),
    ...(faults.length > 0 && { fault: faults[0] }),
    ...(cutShort && { cutShort }),
  }
}
