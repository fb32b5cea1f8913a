/** Pure. */
import { supportOperations } from '../../interface/operations.js'
import { cutText } from '../../lib/redaction/redaction.js'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence } from '../../record/types/record.js'
import { answerOf } from '../judge/answer.js'
import { findOmittedCapture, isDeclined } from '../judge/declined.js'
import { judgeExchange } from '../judge/judge-exchange.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import type { Variables } from '../template/variables.js'
import { onboarding } from './discover.js'

/** A control's last step counts only as a rejection. */
export function declinedStep(
  { steps, controls }: ResolvedFixture,
  evidence: Evidence,
  variables: Variables,
): Reason | undefined {
  const step = steps[evidence.step]
  if (!step) return undefined
  const isControl = controls !== undefined && evidence.step === steps.length - 1
  if (!isControl && judgeExchange(step, evidence, variables).some(({ met }) => !met)) return undefined
  if (isDeclined(step, evidence)) {
    const { response } = evidence
    const answer = cutText(response?.body.text ?? '', 300)
    return {
      code: 'step-declined',
      step: step.name,
      ...(response && { status: response.status }),
      ...(answer !== '' && { answer }),
    }
  }
  const pointer = findOmittedCapture(step, evidence)
  return pointer === undefined ? undefined : { code: 'member-omitted', step: step.name, pointer }
}

/** The text names no kinds of keys, so a target may refuse them. */
export function declinedParty(evidence: Evidence): Reason | undefined {
  const answer = answerOf(evidence)
  if (!answer || answer.status < 400 || answer.status > 499) return undefined
  const operation = onboarding.find((one) => evidence.request.url.endsWith(supportOperations[one].path))
  return operation && { code: 'request-rejected', operation, status: answer.status, answer: cutText(answer.text, 300) }
}

export function causeOfNeeded({ fixtures }: ResolvedFixture, causes: ReadonlyMap<string, Reason>): Reason | undefined {
  return fixtures.map((name) => causes.get(name)).find((cause) => cause !== undefined)
}

export const declinedReason = (fixture: string, because: Reason): Reason => ({
  code: 'fixture-declined',
  fixture,
  because,
})
