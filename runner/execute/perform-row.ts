import type { MissingCapture, Reason } from '../../record/types/reason.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { isDeclined } from '../judge/declined.js'
import { isSent } from '../judge/sent-steps.js'
import { byKeys } from '../template/generators.js'
import { type Variables, withValues } from '../template/variables.js'
import { HeldConnection } from '../transport/kept-connections.js'
import type { ExchangeLabel } from '../transport/transport.js'
import { type Captured, performStep, type Session } from './perform-step.js'

export interface PerformedRow {
  evidence: Evidence[]
  variables: Variables
  stopped?: Reason
  /** An unexpected error. */
  fault?: unknown
  cutShort?: true
}

/**
 * Sends restoring steps even after a fault and at the end of the run.
 * `variables`: of fixtures, parties and users, with the marker of the row. An unanswered request is evidence with a
 * problem.
 * @example
 * const { evidence } = await performRow(row, variables, session)
 * evidence.find(({ role }) => role === 'act')?.response?.status // 200
 */
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
  let stopped: Reason | undefined
  const faults: unknown[] = []
  let cutShort = false
  for (const [index, step] of row.steps.entries()) {
    const { role, name } = step
    if (!isSent(step, evidence)) continue
    if (role !== 'restore') {
      cutShort ||= isOver()
      if (cutShort || stopped !== undefined || faults.length > 0) continue
    }
    const done = await performAttempts(step, { step: index, role }, scope, own).catch((error: unknown) => {
      faults.push(error)
    })
    if (!done) continue
    const unsent = done.evidence.find((one) => one.problem?.code === 'not-sent')?.problem
    const captured = unsent && findCaptured(row.steps.slice(0, index), step)
    if (unsent && captured) {
      stopped ??= { code: 'captured-value-unusable', step: name, ...captured, message: unsent.message }
      continue
    }
    evidence.push(...done.evidence)
    scope = done.variables
    if (unsent) stopped ??= { code: 'step-not-sent', step: name, message: unsent.message }
    else if (done.missing.length > 0 && !isDeclinedTest(step, done.evidence))
      stopped ??= { code: 'not-captured', step: name, missing: done.missing }
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

/** A permitted rejection captures nothing, and the probe continues. */
const isDeclinedTest = (step: ResolvedStep, evidence: readonly Evidence[]): boolean =>
  step.role === 'act' && evidence.every((one) => isDeclined(step, one))

/** An invalid captured value is no fault of the suite. */
function findCaptured(
  before: readonly ResolvedStep[],
  step: ResolvedStep,
): { source: string; members: MissingCapture[] } | undefined {
  const used = JSON.stringify([step.request, step.token ?? null])
  for (const { name, capture } of before) {
    const found = Object.entries(capture).filter(([variable]) => used.includes(`\${${variable}}`))
    if (found.length > 0) return { source: name, members: found.map(([variable, pointer]) => ({ variable, pointer })) }
  }
  return undefined
}

interface PerformedAttempts extends Captured {
  evidence: Evidence[]
}

/** Captures come from the first complete attempt. */
async function performAttempts(
  step: ResolvedStep,
  label: ExchangeLabel,
  variables: Variables,
  session: Session,
): Promise<PerformedAttempts> {
  if (!step.race) {
    const only = await performStep(step, label, variables, session)
    return { ...only, evidence: [only.evidence] }
  }
  const attempts = Array.from({ length: step.race.times }, (_, index) => {
    const attempt = index + 1
    return performStep(step, { ...label, attempt }, new Map(variables).set('attempt', attempt), session)
  })
  // Later steps, above all restoring ones, must wait for every attempt.
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
