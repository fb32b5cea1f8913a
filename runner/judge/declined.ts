import type { Reason } from '../../record/types/reason.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedExpectation, ResolvedRow, ResolvedStep } from '../../record/types/resolved-row.js'
import { answerOf, isOmitted } from './answer.js'
import { isSuccess } from './sent-steps.js'

const permits =
  (outcome: 'accepted' | 'refused') =>
  ({ expectations }: ResolvedStep): boolean =>
    expectations.some(({ kind, anyOf }) => kind === 'outcome' && anyOf.some((one) => one.outcome === outcome))

export const mayBeRejected = permits('refused')
const mayBeAccepted = permits('accepted')

/** The target may accept or reject the request. A server error is no rejection. */
export const isDeclined = (step: ResolvedStep, evidence: Evidence): boolean =>
  mayBeRejected(step) &&
  mayBeAccepted(step) &&
  answerOf(evidence) !== undefined &&
  !isSuccess(evidence) &&
  (evidence.response?.status ?? 0) < 500

export function findDeclinedStep({ steps }: ResolvedRow, evidence: readonly Evidence[]): Reason | undefined {
  if (evidence.some(({ problem }) => problem?.code === 'closed')) return { code: 'connection-closed' }
  const found = evidence.find((one) => {
    const step = steps[one.step]
    return one.role === 'arrange' && step !== undefined && isDeclined(step, one)
  })
  if (!found) return undefined
  const { response } = found
  return { code: 'step-declined', step: steps[found.step]?.name ?? '', ...(response && { status: response.status }) }
}

function omittedCaptures(
  { capture, mayLack = [] }: ResolvedStep,
  evidence: Evidence,
): [name: string, pointer: string][] {
  if (mayLack.length === 0 || !isSuccess(evidence)) return []
  const body = answerOf(evidence)?.json
  return body === undefined ? [] : Object.entries(capture).filter(([, pointer]) => isOmitted(body, pointer, mayLack))
}

export const findOmittedCapture = (step: ResolvedStep, evidence: Evidence): string | undefined =>
  omittedCaptures(step, evidence)[0]?.[1]

/** The expectation uses a variable that its step captures from an omitted member. */
export function dependsOnOmission({ anyOf }: ResolvedExpectation, step: ResolvedStep, evidence: Evidence): boolean {
  const omitted = omittedCaptures(step, evidence)
  if (omitted.length === 0) return false
  const text = JSON.stringify(anyOf)
  return omitted.some(([name]) => text.includes(`\${${name}`))
}

export function findOmission({ steps }: ResolvedRow, evidence: readonly Evidence[]): Reason | undefined {
  for (const one of evidence) {
    const step = steps[one.step]
    const pointer = step && findOmittedCapture(step, one)
    if (step && pointer !== undefined) return { code: 'member-omitted', step: step.name, pointer }
  }
  return undefined
}
