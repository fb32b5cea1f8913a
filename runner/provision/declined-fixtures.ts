/** Whether an exchange shows that a target refused a fixture as it may, and the cause as a sentence. Pure: `verify` derives both again. */

import { supportOperations } from '../../interface/operations.js'
import { cutText } from '../../lib/redaction/cut-text.js'
import type { Evidence } from '../../record/types/record.js'
import { answerOf } from '../judge/answer.js'
import { findOmittedCapture, isDeclined } from '../judge/declined.js'
import { judgeExchange } from '../judge/judge-exchange.js'
import type { ResolvedFixture } from '../suite/resolved-suite.js'
import type { Variables } from '../template/variables.js'
import { refusalOf } from './caller.js'

/** Undefined where the answer breaks an obligation, or declines nothing. Of the end of a control only the refusal counts. */
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

/** By the text, which names no kinds of keys, a target may refuse a party for those that it has. */
export function declinedParty(evidence: Evidence): string | undefined {
  const answer = answerOf(evidence)
  if (!answer || answer.status < 400 || answer.status > 499) return undefined
  const name = onboarding.find((one) => evidence.request.url.endsWith(supportOperations[one].path))
  return name && refusalOf(name, evidence, answer)
}

const onboarding = ['generate-external-topology', 'allocate-external-party'] as const

/** The causes by fixture: `own` where its exchange shows it, or that of a fixture that it is made from. */
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

/** That of the first declined fixture from which the fixture is made. */
export function causeOfNeeded({ fixtures }: ResolvedFixture, causes: ReadonlyMap<string, string>): string | undefined {
  const lacking = fixtures.find((name) => causes.has(name))
  return lacking && `it is made from ${lacking}: ${causes.get(lacking) ?? ''}`
}

/** Why a row was not sent whose fixture the target declined. */
export const declinedReason = (name: string, cause: string): string =>
  `the participant declines an optional feature, so the fixture ${name} is missing: ${cause}`
