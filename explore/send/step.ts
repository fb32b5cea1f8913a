import type { JsonValue } from '../../lib/json/json.js'
import type { Step } from '../../record/types/exploration.js'
import type { Reason } from '../../record/types/reason.js'
import type { Evidence } from '../../record/types/record.js'
import type { Data, ResolvedStep } from '../../record/types/resolved-row.js'
import { type Answer, answerOf } from '../../runner/judge/answer.js'
import { CredentialError } from '../../runner/target/credentials/credential-source.js'
import { byKeys } from '../../runner/template/generators.js'
import { PointerError, valueAt } from '../../runner/template/pointer.js'
import { asCaller, VariableError } from '../../runner/template/variables.js'
import { buildRequest } from '../../runner/transport/build-request.js'
import type { Side } from './side.js'

/** Of an exploration, or of a row. */
export type AnyStep = Step | ResolvedStep

export const bodyOfStep = ({ request: { body } }: AnyStep) => (body && 'json' in body ? body.json : undefined)

export function bodyMembers(step: AnyStep): { readonly [name: string]: Data } {
  const body = bodyOfStep(step)
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
}

export interface StepResult {
  evidence?: Evidence
  answer?: Answer
  unsent?: string
  /** The side did not answer in an outage: the result cannot be judged. */
  disruption?: Reason
}

/**
 * Sends one step to one participant.
 * @example
 * const { answer } = await sendStep(step, variables, side)
 * answer?.status // 200; undefined without an answer
 */
export async function sendStep(step: Step, variables: Map<string, JsonValue>, side: Side): Promise<StepResult> {
  const scope = asCaller(step.actor, variables)
  try {
    const request = buildRequest(step.request, scope, byKeys(side.keys))
    const authorization = await side.tokens.header(String(scope.get('user') ?? ''), step.token, scope)
    if (authorization !== undefined) request.headers.push(['authorization', authorization])
    const transport = side.watch()
    const evidence = await transport.send(request, { step: 0, role: step.restores ? 'restore' : 'act' })
    const answer = answerOf(evidence)
    const { disruption } = transport
    return { evidence, ...(answer && { answer }), ...(disruption && { disruption: disruption.reason }) }
  } catch (error) {
    if (error instanceof VariableError || error instanceof PointerError || error instanceof CredentialError)
      return { unsent: error.message }
    throw error
  }
}

export function captureFrom({ answer }: StepResult, { capture }: Step, variables: Map<string, JsonValue>): void {
  for (const [name, pointer] of Object.entries(capture)) {
    const value = valueAt(answer?.json, pointer)
    if (value !== undefined) variables.set(name, value)
  }
}
