import { setTimeout as delay } from 'node:timers/promises'
import { excerpt, JsonNumber, type JsonValue, printJson } from '../../lib/json/json.js'
import { ProtobufError, readMessage } from '../../lib/protobuf/protobuf.js'
import { jsonBody, type MissingCapture } from '../../record/types/reason.js'
import type { Evidence } from '../../record/types/record.js'
import type { ResolvedStep } from '../../record/types/resolved-row.js'
import { answerOf } from '../judge/answer.js'
import { evaluate } from '../judge/evaluate-matcher.js'
import { isAcceptedSubmission } from '../judge/sent-steps.js'
import { SignatureNotGiven } from '../sign/presigned-key.js'
import type { KeyRing } from '../sign/signing-key.js'
import { CredentialError } from '../target/credentials/credential-source.js'
import { byKeys } from '../template/generators.js'
import { PointerError, valueAt } from '../template/pointer.js'
import { asCaller, type Scope, VariableError, type Variables } from '../template/variables.js'
import { type BuiltRequest, buildRequest } from '../transport/build-request.js'
import type { HeldConnection } from '../transport/kept-connections.js'
import { type ExchangeLabel, type Transport, unsentEvidence } from '../transport/transport.js'
import { type CompletionsWatch, withQuery } from './completions-watch.js'
import type { ReleaseSlot } from './in-parallel.js'
import type { Tokens } from './tokens.js'

/** `variables`: with the captured ones. */
export interface Captured {
  variables: Variables
  missing: MissingCapture[]
}

export interface PerformedStep extends Captured {
  evidence: Evidence
}

export async function performStep(
  step: ResolvedStep,
  label: ExchangeLabel,
  variables: Variables,
  session: Session,
): Promise<PerformedStep> {
  const { transport, tokens, keys, held, lateDelay, isRecorded, releaseSlot = keepSlot } = session
  if (step.later !== undefined && !isRecorded)
    await releaseSlot(delay(step.later === 'late-check' ? lateDelay : step.later * 1000))
  const scope = asCaller(step.actor, variables)
  const generated: string[] = []
  try {
    const request = buildRequest(step.request, scope, byKeys(keys, generated))
    const authorization = await tokens.header(String(scope.get('user') ?? ''), step.token, scope)
    if (authorization !== undefined) request.headers.push(['authorization', authorization])
    if (held) request.connection = { held, again: step.sameConnection === true }
    const attempt = async (sent = request): Promise<PerformedStep> => {
      const evidence = await transport.send(sent, label)
      return {
        evidence: { ...evidence, ...(generated.length > 0 && { generated }) },
        ...capture(step, evidence, variables),
      }
    }
    return await (step.eventually === undefined || isRecorded
      ? attempt()
      : repeatUntilMet(step, step.eventually, attempt, { transport, pause: pauseFor(step, request, scope, session) }))
  } catch (error) {
    if (!isUnsendable(error)) throw error
    return { evidence: unsentEvidence(label, 'not-sent', error.message), variables, missing: [] }
  }
}

const isUnsendable = (error: unknown): error is Error =>
  error instanceof VariableError ||
  error instanceof PointerError ||
  error instanceof SignatureNotGiven ||
  error instanceof CredentialError

const keepSlot: ReleaseSlot = async (until) => void (await until)

const pauseMilliseconds = 200

type Pause = (attempts: number, milliseconds: number) => Promise<BuiltRequest>

function pauseFor(
  { operation }: ResolvedStep,
  request: BuiltRequest,
  scope: Scope,
  { releaseSlot = keepSlot, completions }: Session,
): Pause {
  const mentions = scope.get('row')
  const pause = async (attempts: number, milliseconds: number): Promise<BuiltRequest> => {
    if (attempts > 0) await releaseSlot(delay(Math.min(milliseconds, pauseMilliseconds)))
    return request
  }
  if (operation !== 'completions' || !completions || typeof mentions !== 'string') return pause
  return async (attempts, milliseconds) => {
    await pause(attempts, milliseconds)
    let count = 0
    await releaseSlot(
      completions.waitFor(request, mentions, milliseconds).then((found) => {
        count = found
      }),
    )
    // Slow targets list nothing within the shortened timeout, so later attempts send the original request.
    return count > 0 && attempts === 0 ? { ...request, path: withQuery(request.path, upTo(count)) } : request
  }
}

/** While other rows run, a longer list completes only after seconds. */
const upTo = (count: number): Record<string, string> => ({
  limit: String(count + 8),
  stream_idle_timeout_ms: '50',
})

/** The last attempt starts after the deadline: a slow earlier one may show an old state. */
async function repeatUntilMet(
  step: ResolvedStep,
  seconds: number,
  attempt: (sent: BuiltRequest) => Promise<PerformedStep>,
  { transport, pause }: { transport: Transport; pause: Pause },
): Promise<PerformedStep> {
  const end = performance.now() + seconds * 1000
  for (let attempts = 0; ; attempts += 1) {
    const sent = await pause(attempts, Math.max(end - performance.now(), 0))
    const isLast = performance.now() > end
    const done = await attempt(sent)
    const isMet = isContentMet(step, done) && done.missing.length === 0
    // A repeated submission would commit again.
    if (isMet || isAcceptedSubmission(step, done.evidence) || isLast || transport.disruption) return done
  }
}

function isContentMet(step: ResolvedStep, { evidence, variables }: PerformedStep): boolean {
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

/** From the evidence, so that captured and judged values are equal. */
function capture(step: ResolvedStep, evidence: Evidence, variables: Variables): Captured {
  const wanted = Object.entries(step.capture)
  if (wanted.length === 0) return { variables, missing: [] }
  const answer = answerOf(evidence)
  const isJson = answer?.json !== undefined
  const captured = new Map(variables)
  const missing: MissingCapture[] = []
  for (const [name, pointer] of wanted) {
    const value = valueAt(answer?.json, pointer)
    const form = value === undefined ? undefined : wrongForm(step.operation, pointer, value)
    if (form) missing.push({ variable: name, pointer, ...form })
    else if (answer && !isJson)
      missing.push({ variable: name, pointer, form: jsonBody, found: excerpt(answer.text, 60) })
    else if (value === undefined) missing.push({ variable: name, pointer })
    else captured.set(name, value)
  }
  return { variables: captured, missing }
}

interface Form {
  name: string
  fits(value: JsonValue): boolean
}

/** Characters: a record keeps no longer string. */
const maxTextLength = 1024 * 1024

const minHashBytes = 32

/** Any Protobuf message is a transaction: later protocol versions add fields. */
const forms: Readonly<Record<string, Form>> = {
  'prepare /preparedTransaction': { name: 'prepared transaction', fits: (value) => isMessage(bytesOf(value)) },
  'prepare /preparedTransactionHash': { name: 'hash', fits: (value) => (bytesOf(value)?.length ?? 0) >= minHashBytes },
  // Later requests contain the offset as it arrived, and the target rejects another form as malformed.
  'ledger-end /offset': { name: 'non-negative integer (digits only)', fits: isPlainInteger },
}

interface WrongForm {
  form: string
  found: string
}

function wrongForm(operation: string, pointer: string, value: JsonValue): WrongForm | undefined {
  const found = excerpt(value, 60)
  if (typeof value === 'string' && value.length > maxTextLength)
    return { form: `string of at most ${maxTextLength} characters`, found }
  const form = forms[`${operation} ${pointer}`]
  return form && !form.fits(value) ? { form: form.name, found } : undefined
}

function isPlainInteger(value: JsonValue): boolean {
  return (typeof value === 'number' || value instanceof JsonNumber) && /^\d+$/.test(printJson(value))
}

/** Undefined unless the value is Base64. */
const bytesOf = (value: JsonValue): Buffer | undefined =>
  typeof value === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(value) ? Buffer.from(value, 'base64') : undefined

function isMessage(bytes: Buffer | undefined): boolean {
  try {
    return bytes !== undefined && readMessage(bytes).length > 0
  } catch (error) {
    if (error instanceof ProtobufError) return false
    throw error
  }
}

export interface Session {
  transport: Transport
  tokens: Tokens
  keys: KeyRing
  held?: HeldConnection
  /** Without it, a waiting step keeps its slot. */
  releaseSlot?: ReleaseSlot
  /** Milliseconds. */
  lateDelay: number
  /** The answers come from a record, so no step waits for time to pass or for another answer. */
  isRecorded?: true
  /** Without it, each row polls for its completions. */
  completions?: CompletionsWatch
}
