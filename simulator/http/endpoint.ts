import type { IncomingHttpHeaders } from 'node:http'
import { EvaluationFailure } from '../../daml/machine/failures.js'
import type { Operation } from '../../interface/operations.js'
import { JsonSyntaxError, type JsonValue, parseJson } from '../../lib/json/json.js'
import { identify } from '../auth/caller.js'
import {
  interpretationError,
  LedgerError,
  PlainRefusal,
  RedactedError,
  ReferenceFault,
  undecodableBody,
} from '../base/errors.js'
import { log } from '../base/log.js'
import { type Decoder, decodeBody } from '../json/decode.js'
import type { KnownOperation, Participant } from '../participant/participant.js'
import { type Answer, contentTypes, emptyAnswer, jsonAnswer, textAnswer } from './answer.js'
import { authorizationsIn, type Call, CallSituation, RequestAborted, type RequestHead } from './call.js'
import { errorBody, redactedBody, type Situation } from './error-body.js'
import { remark } from './request-log.js'

export interface Place {
  /** Absent: the suite does not use the operation. */
  name?: KnownOperation
  method: 'get' | 'post' | 'patch' | 'delete'
  /** Express path; `:name` for parameters. */
  path: string
}

export const on = <Name extends KnownOperation>({ name, method, path }: Operation<Name>): Place => ({
  name,
  method: method.toLowerCase() as Place['method'], // they differ only in case
  path: path.replace(/\{(\w+)\}/g, ':$1'),
})

export interface Endpoint extends Place {
  /** Rejects only with `RequestAborted`. */
  answer(request: RequestHead, participant: Participant, body: () => Promise<Buffer>): Promise<Answer>
}

interface EndpointDefinition<Body> extends Place {
  /** Absent: no JSON body. */
  body?: Decoder<Body>
  /** Media types of a success; absent: JSON. */
  answers?: 'bytes' | 'text'
  handle(call: Call<NoInfer<Body>>): Answer | Promise<Answer>
}

export function endpoint<Body>(definition: EndpointDefinition<Body>): Endpoint {
  const { name, method, path } = definition
  return {
    ...(name && { name }),
    method,
    path,
    answer: async (request, participant, body) => {
      const submission = new CallSituation(request, participant)
      const isAcceptable = acceptable(request.headers, definition.answers)
      try {
        const call = await callOf(definition.body, { request, participant, rawBody: await body(), submission })
        if (!isAcceptable) return notAcceptable
        const answer = definition.handle(call)
        return answer instanceof Promise ? await inTime(answer, call) : answer
      } catch (error) {
        if (error instanceof RequestAborted) throw error
        const answer = answerToError(error, participant, submission)
        return answer.type === contentTypes.json && !isAcceptable ? notAcceptable : answer
      }
    },
  }
}

interface Received {
  request: RequestHead
  participant: Participant
  rawBody: Buffer
  submission: CallSituation
}

/** Rejects if the caller or the body is invalid. */
export async function callOf<Body>(
  decoder: Decoder<Body> | undefined,
  { request, participant, rawBody, submission }: Received,
): Promise<Call<Body>> {
  const caller = await identify(authorizationsIn(request), participant, (why) => remark(request, why))
  const body = decoder && decodeBody(decoder, parse(rawBody.toString('utf8')), participant.behaviour.has)
  const params = Object.entries(request.params).map(([name, value]) => [name, [value].flat().join('/')])
  return {
    participant,
    caller,
    body: body as Body, // undefined only if Body is undefined
    rawBody,
    submission,
    params: Object.fromEntries(params),
    // Not a getter: V8 makes another hidden class for each object literal with one.
    query: request.url.includes('?') ? new URL(request.url, 'http://participant').searchParams : noQuery,
    deadline: new AbortController(),
  }
}

const noQuery = new URLSearchParams()

/** Status 503 after the time limit. */
async function inTime(answer: Promise<Answer>, call: Call<unknown>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => {
      call.deadline.abort()
      resolve(unavailable)
    }, call.participant.answerLimit)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}

const unavailable = textAnswer(
  503,
  'The server was not able to produce a timely response to your request.\r\nPlease try again in a short while!',
)

function parse(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw undecodableBody([error.message])
    throw error
  }
}

export const answerToError = (error: unknown, participant: Participant, situation: Situation): Answer =>
  answerTo(answerable(error, participant), situation)

const isRepeatedUuid = (error: unknown): boolean =>
  error instanceof LedgerError && error.details.code === 'DUPLICATE_CONFIRMATION_REQUEST_UUID'

function answerable(error: unknown, { behaviour }: Participant): unknown {
  if (error instanceof ReferenceFault) return behaviour.has(error.point) ? error.reference : error.proper
  if (isRepeatedUuid(error) && behaviour.has('redacted-duplicate-uuid'))
    return new RedactedError('INVALID_ARGUMENT', { traced: false })
  // Without an interpretation: a command names a type that no value can have. Types of uploaded packages are not checked.
  if (error instanceof EvaluationFailure) return interpretationError('interpretation', error.message)
  return error
}

/** Unexpected errors are logged and answered without content. */
function answerTo(error: unknown, situation: Situation): Answer {
  if (error instanceof LedgerError) {
    const { status, body } = errorBody(error.details, situation)
    return jsonAnswer(status, body)
  }
  if (error instanceof PlainRefusal) return textAnswer(error.status, error.message)
  const redacted = error instanceof RedactedError ? error : new RedactedError('INTERNAL')
  if (redacted !== error) log('internal error', error)
  const { status, body } = redactedBody(redacted, situation)
  return jsonAnswer(status, body)
}

const notAcceptable = emptyAnswer(406)

/** Texts ignore both headers (observed on 3.5.10). */
function acceptable(
  headers: IncomingHttpHeaders,
  answers: EndpointDefinition<unknown>['answers'] = undefined,
): boolean {
  if (answers === 'text') return true
  const types = answers === 'bytes' ? ['json', 'octet-stream'] : ['json']
  const ranges = ['*/*', 'application/*', ...types.map((type) => `application/${type}`)]
  return accepts(headers.accept, ranges, mediaRange) && accepts(headers['accept-charset'], ['*', 'utf-8'], token)
}

const token = /^[\w!#$&^.+*-]+$/
/** An asterisk as type leaves any subtype open. */
const mediaRange = /^(?:[\w!#$&^.+-]+\/[\w!#$&^.+*-]+|\*\/\*)$/

const parameter = /^[\w!#$&^.+*-]+ *=/

/** Ignores weights and charsets; a malformed header excludes nothing (observed on 3.5.10). */
function accepts(header: string | string[] | undefined, fitting: readonly string[], form: RegExp): boolean {
  const ranges = [header ?? ''].flat().join().toLowerCase().split(',')
  return ranges.some((range) => {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (!form.test(name) || !parameters.every((part) => parameter.test(part))) return true
    return fitting.includes(name) && parameters.every((part) => /^(?:q|charset) *=/.test(part))
  })
}

/** For example `GET /v2/parties/{party}`. */
export const methodAndPath = ({ method, path }: Place): string => `${method.toUpperCase()} ${pathOf({ path })}`

export const pathOf = ({ path }: { path: string }): string => path.replace(/:(\w+)/g, '{$1}')

export const operationName = (endpoint: Endpoint): string => endpoint.name ?? methodAndPath(endpoint)
