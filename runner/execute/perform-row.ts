import type { Evidence } from '../../record/types/record.js'
import type { ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { isDeclined } from '../judge/declined.js'
import { isSent } from '../judge/sent-steps.js'
import { byKeys } from '../template/keyed-generation.js'
import { type Variables, withValues } from '../template/variables.js'
import { HeldConnection } from '../transport/held-connection.js'
import type { ExchangeLabel } from '../transport/transport.js'
import { type PerformedStep, performStep } from './perform-step.js'
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
  const held = row.steps.some(({ sameConnection }) => sameConnection) ? new HeldConnection() : undefined
  const own = held ? { ...session, held } : session
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
    const done = await performAtOnce(step, { step: index, role }, scope, own).catch((error: unknown) => {
      faults.push(error)
    })
    if (!done) continue
    const unsent = done.evidence.find((one) => one.problem?.code === 'not-sent')?.problem
    const given = unsent && givenByTarget(row.steps.slice(0, index), step)
    if (unsent && given !== undefined) {
      stopped ??= `step ${name} cannot be sent with ${given}: ${unsent.message}`
      continue
    }
    evidence.push(...done.evidence)
    scope = done.variables
    if (unsent) stopped ??= `step ${name} was not sent: ${unsent.message}`
    else if (done.missing.length > 0 && !isOpenRefusal(step, done.evidence))
      stopped ??= `step ${name} did not give ${done.missing.join(', ')}`
  }
  await held?.end()
  return {
    evidence,
    variables: scope,
    ...(stopped !== undefined && { stopped }),
    ...(faults.length > 0 && { fault: faults[0] }),
    ...(cutShort && { cutShort }),
  }
}

/** Of the request under test: a target that may reject it, and does, gives nothing, and the probe behind it goes on. */
const isOpenRefusal = (step: ResolvedStep, evidence: readonly Evidence[]): boolean =>
  step.role === 'act' && evidence.every((one) => isDeclined(step, one))

/** What the step takes from an answer of the target: with nonsense there, nothing can be made of it, and that is no fault of ours. */
function givenByTarget(before: readonly ResolvedStep[], step: ResolvedStep): string | undefined {
  const used = JSON.stringify([step.request, step.token ?? null])
  for (const { name, capture } of before) {
    const found = Object.entries(capture).filter(([variable]) => used.includes(`\${${variable}}`))
    const members = found.map(([variable, pointer]) => `${variable} (${pointer})`)
    if (members.length > 0) return `${members.join(', ')} as the step ${name} gave it`
  }
  return undefined
}

/** What came of a step that may be sent several times; `evidence` has all exchanges, in the order in which they were begun. */
interface PerformedRace extends Omit<PerformedStep, 'evidence'> {
  evidence: Evidence[]
}

/**
 * Sends a step as often as it says, all at once; `${attempt}` counts from 1. Captures are those of the first exchange that had
 * everything, which is that of the winner.
 */
async function performAtOnce(
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
