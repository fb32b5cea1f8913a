import { setTimeout as delay } from 'node:timers/promises'
import { excerpt, type JsonValue } from '../../lib/json/json.js'
import { ProtobufError, readMessage } from '../../lib/protobuf/protobuf.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'
import { answerOf } from '../judge/answer.js'
import { evaluate } from '../judge/matchers.js'
import { SignatureNotGiven } from '../sign/presigned-key.js'
import { CredentialError } from '../target/credentials/credential-source.js'
import { asCaller } from '../template/callers.js'
import { byKeys } from '../template/keyed-generation.js'
import { PointerError, valueAt } from '../template/pointer.js'
import { type Scope, VariableError, type Variables } from '../template/variables.js'
import { type BuiltRequest, buildRequest } from '../transport/build-request.js'
import type { ExchangeLabel, Transport } from '../transport/transport.js'
import { withQuery } from './completions-watch.js'
import type { Rest } from './in-parallel.js'
import type { Session } from './session.js'

export interface PerformedStep {
  evidence: Evidence
  /** The variables as they were, and what the step captured. */
  variables: Variables
  /** What should have been captured and was not there. */
  missing: string[]
}

/** Sends one step and captures from its answer. What the suite asks for and is not there becomes evidence of nothing sent. */
export async function performStep(
  step: ResolvedStep,
  label: ExchangeLabel,
  variables: Variables,
  session: Session,
): Promise<PerformedStep> {
  const { transport, tokens, keys, held, lateDelay, rest = plainly } = session
  if (step.later !== undefined) await rest(delay(step.later === 'late-look' ? lateDelay : step.later * 1000))
  const scope = asCaller(step.actor, variables)
  const generated: string[] = []
  try {
    const request = buildRequest(step.request, scope, byKeys(keys, generated))
    const authorization = await tokens.header(String(scope.get('user') ?? ''), step.token, scope)
    if (authorization !== undefined) request.headers.push(['authorization', authorization])
    const attempt = async (sent = request): Promise<PerformedStep> => {
      const evidence = await transport.send(sent, label, held && { held, again: step.sameConnection === true })
      return {
        evidence: { ...evidence, ...(generated.length > 0 && { generated }) },
        ...capture(step, evidence, variables),
      }
    }
    return await (step.eventually === undefined
      ? attempt()
      : untilMet(step, step.eventually, attempt, { transport, pause: pausing(step, request, scope, session) }))
  } catch (error) {
    if (!isUnsendable(error)) throw error
    return { evidence: nothingSent(label, error.message), variables, missing: [] }
  }
}

const isUnsendable = (error: unknown): error is Error =>
  error instanceof VariableError ||
  error instanceof PointerError ||
  error instanceof SignatureNotGiven ||
  error instanceof CredentialError

/** Where nobody could go ahead. */
const plainly: Rest = async (something) => void (await something)

const pauseMilliseconds = 200

/** Waits before an attempt, for so many milliseconds at most, and tells what to send then. */
type Pausing = (attempts: number, milliseconds: number) => Promise<BuiltRequest>

/** After the first one, for a while; for a completion until there is one of the row. */
function pausing(
  { operation }: ResolvedStep,
  request: BuiltRequest,
  scope: Scope,
  { rest = plainly, completions }: Session,
): Pausing {
  const mentions = scope.get('row')
  const pause = async (attempts: number, milliseconds: number): Promise<BuiltRequest> => {
    if (attempts > 0) await rest(delay(Math.min(milliseconds, pauseMilliseconds)))
    return request
  }
  if (operation !== 'completions' || !completions || typeof mentions !== 'string') return pause
  return async (attempts, milliseconds) => {
    await pause(attempts, milliseconds)
    let count = 0
    await rest(
      completions.news(request, mentions, milliseconds).then((found) => {
        count = found
      }),
    )
    // A moment is too short for some: they are asked as the suite has it from then on.
    return count > 0 && attempts === 0 ? { ...request, path: withQuery(request.path, upTo(count)) } : request
  }
}

/** Those that are known to be there, and what comes within a moment: with others going on, a list of more has no end for seconds. */
const upTo = (count: number): Record<string, string> => ({
  limit: String(count + 8),
  stream_idle_timeout_ms: '50',
})

/**
 * Tries again until what is expected of the body has come about, or the seconds are over; the last attempt counts. It was begun
 * behind them: of one that took long, as with a target that was halted, nobody knows of when it tells.
 */
async function untilMet(
  step: ResolvedStep,
  seconds: number,
  attempt: (sent: BuiltRequest) => Promise<PerformedStep>,
  { transport, pause }: { transport: Pick<Transport, 'disruption'>; pause: Pausing },
): Promise<PerformedStep> {
  const end = performance.now() + seconds * 1000
  for (let attempts = 0; ; attempts += 1) {
    const sent = await pause(attempts, Math.max(end - performance.now(), 0))
    const isLast = performance.now() > end
    const done = await attempt(sent)
    const met = hasComeAbout(step, done)
    if ((met && done.missing.length === 0) || isLast || transport.disruption) return done
  }
}

function hasComeAbout(step: ResolvedStep, { evidence, variables }: PerformedStep): boolean {
  const json = answerOf(evidence)?.json
  const scope = asCaller(step.actor, variables)
  return step.expectations
    .filter(({ kind }) => kind === 'content')
    .flatMap(({ anyOf }) => anyOf.flatMap(({ checks }) => checks))
    .every(
      (check) =>
        check.on !== 'body' || evaluate(check.matcher, valueAt(json, check.pointer), scope).every(({ met }) => met),
    )
}

/** Takes from evidence, not from the wire: what is captured must be what is judged. */
function capture(step: ResolvedStep, evidence: Evidence, variables: Variables): Omit<PerformedStep, 'evidence'> {
  const wanted = Object.entries(step.capture)
  if (wanted.length === 0) return { variables, missing: [] }
  const answer = answerOf(evidence)?.json
  const captured = new Map(variables)
  const missing: string[] = []
  for (const [name, pointer] of wanted) {
    const value = valueAt(answer, pointer)
    const wrong = value === undefined ? '' : wrongForm(step.operation, pointer, value)
    if (value === undefined || wrong !== undefined) missing.push(`${name} (${pointer})${wrong ? `: it ${wrong}` : ''}`)
    else captured.set(name, value)
  }
  return { variables: captured, missing }
}

function nothingSent(label: ExchangeLabel, message: string): Evidence {
  return {
    ...label,
    request: { method: '', url: '', headers: [] },
    problem: { code: 'not-sent', message },
    startedAt: new Date().toISOString(),
    milliseconds: 0,
  }
}

/** What answers of supporting operations must be for later steps to make anything of it. Those under test are judged instead, but for their size. */
interface Form {
  /** As in "…, which is no …". */
  name: string
  fits(bytes: Buffer): boolean
}

/** Characters of the longest text that is gone on with: a record keeps no longer ones. */
const longestText = 1024 * 1024

/** Bytes of the shortest hash. */
const shortestHash = 32

/** By operation and place. A transaction of a later version of the protocol is one, too. */
const forms: Readonly<Record<string, Form>> = {
  'prepare /preparedTransaction': { name: 'prepared transaction', fits: isMessage },
  'prepare /preparedTransactionHash': { name: 'hash', fits: ({ length }) => length >= shortestHash },
}

/** Why nobody can go on with the value, as the end of a sentence; undefined where one can. */
function wrongForm(operation: string, pointer: string, value: JsonValue): string | undefined {
  if (typeof value === 'string' && value.length > longestText)
    return `is a text of ${value.length} characters, which is too long to go on with`
  const form = forms[`${operation} ${pointer}`]
  if (!form) return undefined
  const isBase64 = typeof value === 'string' && value !== '' && /^[A-Za-z0-9+/]+={0,2}$/.test(value)
  return isBase64 && form.fits(Buffer.from(value, 'base64'))
    ? undefined
    : `is ${excerpt(value, 60)}, which is no ${form.name}`
}

function isMessage(bytes: Buffer): boolean {
  try {
    return readMessage(bytes).length > 0
  } catch (error) {
    if (error instanceof ProtobufError) return false
    throw error
  }
}
