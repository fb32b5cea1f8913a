import { JsonSyntaxError, type JsonValue, parseJson } from '../../interface/json.js'
import type { Evidence } from '../../record/record.js'
import { PointerError, valueAt } from '../pointer.js'
import type { Step, Suite } from '../suite.js'
import { VariableError, type Variables } from '../variables.js'
import { prepareRequest } from './prepare-request.js'
import type { Tokens } from './tokens.js'
import type { Transport } from './transport.js'

/** All that is needed to send steps; one for a whole run. */
export interface Session {
  suite: Suite
  transport: Transport
  tokens: Tokens
  /** The user id by which an actor is known to the target. */
  userId(actor: string): string
}

export interface PerformedStep {
  evidence: Evidence
  /** The variables as they were, and what the step captured. */
  variables: Variables
  /** What should have been captured and was not there. */
  missing: string[]
}

/** Sends one step and captures from its answer. What the suite asks for and is not there becomes evidence of nothing sent. */
export async function performStep(
  step: Step,
  purpose: Evidence['purpose'],
  variables: Variables,
  session: Session,
): Promise<PerformedStep> {
  const base = session.suite.requests.get(step.request)
  if (!base) throw new Error(`no base request is called ${step.request}`)
  const actor = step.as ?? base.as ?? 'operator'
  const scope = new Map(variables).set('user', session.userId(actor))
  try {
    const request = prepareRequest(step, base, scope)
    const variant = step.token === undefined ? undefined : session.suite.tokens.get(step.token)
    const authorization = await session.tokens.header(session.userId(actor), variant, scope)
    if (authorization !== undefined) request.headers.push(['authorization', authorization])
    const { evidence, received } = await session.transport.send(request, { step: step.name, purpose })
    return { evidence, ...capture(step, received?.body, variables) }
  } catch (error) {
    if (!(error instanceof VariableError) && !(error instanceof PointerError)) throw error
    return { evidence: nothingSent(step, purpose, error.message), variables, missing: [] }
  }
}

function capture(step: Step, body: Buffer | undefined, variables: Variables): Omit<PerformedStep, 'evidence'> {
  if (step.capture.size === 0) return { variables, missing: [] }
  const answer = parse(body)
  const captured = new Map(variables)
  const missing: string[] = []
  for (const [name, pointer] of step.capture) {
    const value = valueAt(answer, pointer)
    if (value === undefined) missing.push(`${name} (${pointer})`)
    else captured.set(name, value)
  }
  return { variables: captured, missing }
}

function parse(body: Buffer | undefined): JsonValue | undefined {
  try {
    return body && parseJson(body.toString('utf8'))
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined
    throw error
  }
}

function nothingSent(step: Step, purpose: Evidence['purpose'], message: string): Evidence {
  return {
    step: step.name,
    purpose,
    request: { method: '', url: '', headers: [] },
    problem: { code: 'not-sent', message },
    startedAt: new Date().toISOString(),
    milliseconds: 0,
  }
}
