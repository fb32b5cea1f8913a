import { setTimeout as delay } from 'node:timers/promises'
import type { Evidence } from '../../record/record.js'
import { answerOf } from '../judge/answer.js'
import { evaluate } from '../judge/matchers.js'
import { PointerError, valueAt } from '../template/pointer.js'
import type { KeyRing } from '../sign/key-ring.js'
import { actorOf, type Matcher, type Step, type Suite } from '../suite/suite.js'
import { VariableError, type Variables } from '../template/variables.js'
import { prepareRequest } from './prepare-request.js'
import type { Tokens } from './tokens.js'
import type { Transport } from './transport.js'

/** All that is needed to send steps; one for a whole run. */
export interface Session {
  suite: Suite
  transport: Transport
  tokens: Tokens
  /** What parties of the suite sign with. */
  keys: KeyRing
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
  const variant = step.token === undefined ? undefined : session.suite.tokens.get(step.token)
  if (step.token !== undefined && !variant) throw new Error(`no token is called ${step.token}`)
  const user = session.userId(actorOf(step, base))
  const scope = new Map(variables).set('user', user)
  try {
    const request = prepareRequest(step, base, scope, session.keys)
    // A step that says itself what the header is, or that there is none, gets no token beside it.
    const ownHeader = Object.keys(step.raw?.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')
    const authorization = ownHeader ? undefined : await session.tokens.header(user, variant, scope)
    if (authorization !== undefined) request.headers.push(['authorization', authorization])
    const label = { step: step.name, purpose }
    const attempt = async (): Promise<PerformedStep> => {
      const evidence = await session.transport.send(request, label)
      return { evidence, ...capture(step, evidence, variables) }
    }
    return await (step.eventually === undefined ? attempt() : untilMet(step, step.eventually, user, attempt))
  } catch (error) {
    if (!(error instanceof VariableError) && !(error instanceof PointerError)) throw error
    return { evidence: nothingSent(step, purpose, error.message), variables, missing: [] }
  }
}

const pauseMilliseconds = 200

/** Tries again until what is expected of the body has come about, or the seconds are over; the last attempt counts. */
async function untilMet(
  { verdict }: Step,
  seconds: number,
  user: string,
  attempt: () => Promise<PerformedStep>,
): Promise<PerformedStep> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const done = await attempt()
    const json = answerOf(done.evidence)?.json
    const scope = new Map(done.variables).set('user', user)
    const met = [...(verdict.expect.body ?? [])].every(([pointer, matcher]) =>
      evaluate(withoutForm(matcher), valueAt(json, pointer), scope).every((match) => match.met),
    )
    if ((met && done.missing.length === 0) || performance.now() + pauseMilliseconds > end) return done
    await delay(pauseMilliseconds)
  }
}

/** How a form looks is the business of the judge; what has none cannot have come about. */
const withoutForm = ({ form, ...rest }: Matcher): Matcher => (form === undefined ? rest : { ...rest, present: true })

/** Takes from evidence, not from the wire: what is captured must be what is judged. */
function capture(step: Step, evidence: Evidence, variables: Variables): Omit<PerformedStep, 'evidence'> {
  if (step.capture.size === 0) return { variables, missing: [] }
  const answer = answerOf(evidence)?.json
  const captured = new Map(variables)
  const missing: string[] = []
  for (const [name, pointer] of step.capture) {
    const value = valueAt(answer, pointer)
    if (value === undefined) missing.push(`${name} (${pointer})`)
    else captured.set(name, value)
  }
  return { variables: captured, missing }
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
