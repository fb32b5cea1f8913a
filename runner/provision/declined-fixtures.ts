/** Pure: `verify` derives the causes again. */
import { supportOperations } from '../../interface/operations.js'
import { cutText } from '../../lib/redaction/redaction.js'
import type { Evidence } from '../../record/types/record.js'
import { answerOf } from '../judge/answer.js'
import { findOmittedCapture, isDeclined } from '../judge/declined.js'
import { judgeExchange } from '../judge/judge-exchange.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import type { Variables } from '../template/variables.js'
import { refusalOf } from './caller.js'

/** A control's last step counts only as a rejection. */
export function declinedStep(
  { steps, controls }: ResolvedFixture,
  evidence: Evidence,
  variables: Variables,
): string | undefined {
  const step = steps[evidence.step]
  if (!step) return undefined
  const isControl = controls !== undefined && evidence.step === steps.length - 1
  if (!isControl && judgeExchange(step, evidence, variables).some(({ met }) => !met)) return undefined
  if (isDeclined(step, evidence)) {
    const { status, body } = evidence.response ?? {}
    return `${step.name} returned ${status ?? 'nothing'} ${cutText(body?.text ?? '', 300)}`.trim()
  }
  const pointer = findOmittedCapture(step, evidence)
  return pointer === undefined ? undefined : `the answer to ${step.name} lacks ${pointer}`
}

/** The text names no kinds of keys, so a target may refuse them. */
export function declinedParty(evidence: Evidence): string | undefined {
  const answer = answerOf(evidence)
  if (!answer || answer.status < 400 || answer.status > 499) return undefined
  const name = onboarding.find((one) => evidence.request.url.endsWith(supportOperations[one].path))
  return name && refusalOf(name, evidence, answer)
}

const onboarding = ['generate-external-topology', 'allocate-external-party'] as const

export function declinedCauses(
  fixtures: readonly ResolvedFixture[],
  own: (fixture: ResolvedFixture) => string | undefined,
): Map<string, string> {
  const causes = new Map<string, string>()
  for (const fixture of fixtures) {
    const cause = own(fixture) ?? causeOfNeeded(fixture, causes)
    if (cause !== undefined) causes.set(fixture.name, cause)
  }
  return causes
}

export function causeOfNeeded({ fixtures }: ResolvedFixture, causes: ReadonlyMap<string, string>): string | undefined {
  const lacking = fixtures.find((name) => causes.has(name))
  return lacking && `it needs the declined fixture ${lacking}: ${causes.get(lacking) ?? ''}`
}

export const declinedReason = (name: string, cause: string): string =>
  `the participant declines an optional feature, so the fixture ${name} is missing: ${cause}`
