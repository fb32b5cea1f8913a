/** What a target may decline, so that it says nothing against it that the row cannot go on. Pure. */
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { answerOf } from './answer.js'
import { isOmitted } from './is-omitted.js'
import { isSuccess } from './sent-steps.js'

const may =
  (outcome: 'accepted' | 'refused') =>
  ({ expectations }: Pick<ResolvedStep, 'expectations'>): boolean =>
    expectations.some(({ kind, anyOf }) => kind === 'outcome' && anyOf.some((one) => one.outcome === outcome))

export const mayBeRefused = may('refused')
const mayBeAccepted = may('accepted')

/** Whether the target has refused what it may refuse or accept. A server error is no refusal. */
export const isDeclined = (step: ResolvedStep, evidence: Evidence): boolean =>
  mayBeRefused(step) &&
  mayBeAccepted(step) &&
  answerOf(evidence) !== undefined &&
  !isSuccess(evidence) &&
  (evidence.response?.status ?? 0) < 500

/** As a sentence; undefined where every step before the one under test was accepted, or has to be. */
export function describeDeclinedStep({ steps }: ResolvedRow, evidence: readonly Evidence[]): string | undefined {
  const found = evidence.find((one) => {
    const step = steps[one.step]
    return one.role === 'arrange' && step !== undefined && isDeclined(step, one)
  })
  if (!found) return undefined
  const name = steps[found.step]?.name ?? ''
  return `the participant declines an optional feature: the step ${name} returned ${found.response?.status ?? 'nothing'}`
}

/** Which member that later steps need the target has left out, as it may; undefined where there is none. */
export function findOmittedCapture({ capture, mayLack = [] }: ResolvedStep, evidence: Evidence): string | undefined {
  if (mayLack.length === 0 || !isSuccess(evidence)) return undefined
  const body = answerOf(evidence)?.json
  if (body === undefined) return undefined
  return Object.values(capture).find((pointer) => isOmitted(body, pointer, mayLack))
}

/** Whether the expectation speaks of something that its own step takes from a member which the target has left out, as it may. */
export function dependsOnOmission(
  { anyOf }: ResolvedExpectation,
  { capture, mayLack = [] }: ResolvedStep,
  evidence: Evidence,
): boolean {
  if (mayLack.length === 0 || !isSuccess(evidence)) return false
  const body = answerOf(evidence)?.json
  if (body === undefined) return false
  const lacking = Object.entries(capture).filter(([, pointer]) => isOmitted(body, pointer, mayLack))
  if (lacking.length === 0) return false
  const text = JSON.stringify(anyOf)
  return lacking.some(([name]) => text.includes(`\${${name}`))
}

/** The same of any step of a row, as a sentence. */
export function describeOmission({ steps }: ResolvedRow, evidence: readonly Evidence[]): string | undefined {
  for (const one of evidence) {
    const step = steps[one.step]
    const pointer = step && findOmittedCapture(step, one)
    if (step && pointer !== undefined)
      return `the participant declines an optional feature: the answer to the step ${step.name} lacks ${pointer}`
  }
  return undefined
}
