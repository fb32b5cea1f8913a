/** One operation of the participant, and the way every call of it goes: read, identify, decode, negotiate, handle, answer. */
import { JsonSyntaxError, type JsonValue, parseJson } from '../../lib/json/json.js'
import { identify, MalformedAuthorizationHeader } from '../auth/caller.js'
import {
  LedgerError,
  RedactedError,
  ReferenceFault,
  UnclassifiedError,
  UndecodableBody,
  UndecodableParameter,
} from '../base/errors.js'
import { log } from '../base/log.js'
import { type Decoder, decodeBody } from '../json/decode.js'
import type { Participant } from '../participant/participant.js'
import type { Answer } from './answer.js'
import { Call, CallSituation, type RequestHead } from './call.js'
import { errorBody, redactedBody, type Situation, unclassifiedBody } from './error-body.js'
import { remark } from './remarks.js'
import { BodyTooLarge, RequestAborted } from './request-body.js'

export interface Endpoint {
  method: 'get' | 'post' | 'patch' | 'delete'
  /** Express path; `:name` for parameters. */
  path: string
  /** `body` reads the request's body. Rejects with `RequestAborted`, and with nothing else. */
  answer(request: RequestHead, participant: Participant, body: () => Promise<Buffer>): Promise<Answer>
}

interface EndpointDefinition<Body> {
  method: Endpoint['method']
  path: string
  /** Absent: the operation takes no JSON body. */
  body?: Decoder<Body>
  /** What succeeds is answered with bytes. */
  answersBytes?: boolean
  handle(call: Call<NoInfer<Body>>): Answer | Promise<Answer>
}

export function endpoint<Body>(definition: EndpointDefinition<Body>): Endpoint {
  return {
    method: definition.method,
    path: definition.path,
    answer: async (request, participant, body) => {
      const situation = new CallSituation(request, participant)
      try {
        return await perform(definition, { request, participant, body }, situation)
      } catch (error) {
        if (error instanceof RequestAborted) throw error
        return answerToError(error, participant, situation)
      }
    },
  }
}

interface Incoming {
  request: RequestHead
  participant: Participant
  body(): Promise<Buffer>
}

async function perform<Body>(
  definition: EndpointDefinition<Body>,
  { request, participant, body: read }: Incoming,
  submission: CallSituation,
): Promise<Answer> {
  const call = await callOf(definition.body, { request, participant, rawBody: await read(), submission })
  if (!accepts(request.headers.accept, definition.answersBytes ? ['json', 'octet-stream'] : ['json']))
    return { status: 406, empty: true }
  const answer = definition.handle(call)
  return answer instanceof Promise ? inTime(answer, call) : answer
}

interface Received {
  request: RequestHead
  participant: Participant
  rawBody: Buffer
  submission: CallSituation
}

/** The call with its caller and its decoded body. Rejects with what makes a call unanswerable before its operation sees it. */
export async function callOf<Body>(
  decoder: Decoder<Body> | undefined,
  { request, participant, rawBody, submission }: Received,
): Promise<Call<Body>> {
  const caller = await identify(request.headers.authorization, participant, (why) => remark(request, why))
  const lenient = participant.behaviour.has('lenient-decoding')
  const body = decoder && decodeBody(decoder, parse(rawBody.toString('utf8')), lenient)
  return new Call<Body>(request, {
    ...{ participant, caller, rawBody, submission },
    body: body as Body, // undefined exactly where there is no decoder, and Body is undefined there
  })
}

/** The answer, or after the participant's limit that there is none yet. */
async function inTime(answer: Promise<Answer>, call: Call<unknown>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      call.giveUp()
      resolve(unavailable)
    }, call.participant.answerLimit)
  })
  try {
    // Once the caller has been answered, what the call still comes to is nobody's any more.
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

const unavailable: Answer = {
  status: 503,
  text: 'The server was not able to produce a timely response to your request.\r\nPlease try again in a short while!',
}

function parse(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new UndecodableBody([error.message])
    throw error
  }
}

/** The answer that stands for an error that a call has thrown. */
export const answerToError = (error: unknown, participant: Participant, situation: Situation): Answer =>
  answerTo(answerable(error, participant), situation)

/** Which answer a fault of the reference gets. */
function answerable(error: unknown, { behaviour }: Participant): unknown {
  if (!(error instanceof ReferenceFault)) return error
  return behaviour.has('server-error-for-client-mistake') ? error.reference : error.proper
}

/** The answer that stands for a thrown error. What is no designed refusal is a fault of ours: logged, and told without content. */
function answerTo(error: unknown, situation: Situation): Answer {
  if (error instanceof LedgerError) {
    const { status, body } = errorBody(error.details, situation)
    return { status, json: body }
  }
  if (error instanceof UnclassifiedError) {
    const { status, body } = unclassifiedBody(error)
    return { status, json: body }
  }
  if (error instanceof UndecodableBody || error instanceof UndecodableParameter) {
    return { status: 400, text: error.message }
  }
  if (error instanceof MalformedAuthorizationHeader)
    return { status: 400, text: 'Invalid value for: header Authorization' }
  if (error instanceof BodyTooLarge) return { status: 413, text: error.message }
  const redacted = error instanceof RedactedError ? error : new RedactedError('INTERNAL')
  if (redacted !== error) log('a fault of its own', error)
  const { status, body } = redactedBody(redacted, situation.traceId)
  return { status, json: body }
}

/**
 * Whether an Accept header lets us answer with one of these types of applications. Weights are not looked at, and a header that is not understood
 * excludes nothing (as seen on 3.5.10).
 */
function accepts(header: string | undefined, types: readonly string[]): boolean {
  if (header === undefined || header.trim() === '') return true
  const ranges = header.split(',').map((range) => (range.split(';')[0] ?? '').trim().toLowerCase())
  if (ranges.some((range) => !/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+$/.test(range))) return true
  const fitting = ['*/*', 'application/*', ...types.map((type) => `application/${type}`)]
  return ranges.some((range) => fitting.includes(range))
}
