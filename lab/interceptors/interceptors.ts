/** Interceptors that change requests and answers: the parts of mutants and permitted variants. */
import { isDeepStrictEqual } from 'node:util'
import { type JsonObject, type JsonValue, parseJson, printJson } from '../../lib/json/json.js'
import type {
  Handler,
  InterceptedAnswer,
  InterceptedRequest,
  Interceptor,
  KnownOperation,
  Stage,
} from '../../simulator/participant/participant.js'
import { bodyOf, changing, isRejection, json, withBody } from './bodies.js'
import { isOneOf, judged } from './names.js'

export const alterRequests =
  (names: readonly KnownOperation[], change: (body: JsonObject) => JsonObject): Interceptor =>
  ({ handle }) =>
  (request) => {
    const body = isOneOf(request, names) ? bodyOf(request) : undefined
    return handle(body ? withBody(request, change(body)) : request)
  }

/** Changes members of requests, not of their values; undefined removes a member. */
export const alterMembers = (
  names: readonly KnownOperation[],
  members: readonly string[],
  change: (value: JsonValue, member: string) => JsonValue | undefined,
): Interceptor => alterRequests(names, changing(members, change))

type Replace = (
  answer: InterceptedAnswer,
  request: InterceptedRequest,
  stage: Stage,
) => InterceptedAnswer | Promise<InterceptedAnswer>

export const replaceAnswers =
  (names: readonly KnownOperation[], replace: Replace): Interceptor =>
  (stage) =>
  async (request) => {
    const answer = await stage.handle(request)
    return isOneOf(request, names) ? replace(answer, request, stage) : answer
  }

/** Replaces answers with status 200. */
export const replaceSuccesses = (names: readonly KnownOperation[], replace: Replace): Interceptor =>
  replaceAnswers(names, (answer, request, stage) => (answer.status === 200 ? replace(answer, request, stage) : answer))

export const replaceRejections = (replace: (answer: InterceptedAnswer) => InterceptedAnswer): Interceptor =>
  replaceAnswers(judged, (answer) => (isRejection(answer) ? replace(answer) : answer))

/** Changes the JSON of answers with status 200. `request`: the request body, by default empty. */
export const alterAnswers = (
  names: readonly KnownOperation[],
  change: (answer: JsonValue, request: JsonObject, stage: Stage) => JsonValue,
): Interceptor =>
  replaceSuccesses(names, (answer, request, stage) => ({
    ...answer,
    text: printJson(change(parseJson(answer.text), bodyOf(request) ?? {}, stage)),
  }))

/** Runs an effect before the answer is sent. */
export const runAfter = (
  names: readonly KnownOperation[],
  effect: (request: InterceptedRequest, answer: InterceptedAnswer, stage: Stage) => void | Promise<void>,
): Interceptor =>
  replaceAnswers(names, async (answer, request, stage) => {
    await effect(request, answer, stage)
    return answer
  })

/** Rejects a request if `problem` returns a cause, without authorization. */
export const rejectRequests =
  (names: readonly KnownOperation[], problem: (body: JsonObject) => string | undefined): Interceptor =>
  ({ handle }) =>
  async (request) => {
    const body = isOneOf(request, names) ? bodyOf(request) : undefined
    const cause = body && problem(body)
    return cause === undefined ? handle(request) : json(400, { code: 'INVALID_ARGUMENT', cause })
  }

/** The same for judged operations, after authorization. */
export const rejectAuthorized =
  (problem: (body: JsonObject, operation: KnownOperation) => string | undefined): Interceptor =>
  ({ handle }) =>
  async (request) => {
    const body = isOneOf(request, judged) ? bodyOf(request) : undefined
    const cause = body && request.operation && problem(body, request.operation)
    if (cause === undefined) return handle(request)
    const allowed = await handle({ ...request, method: 'GET', path: '/v2/state/ledger-end', body: Buffer.alloc(0) })
    if (allowed.status === 401 || allowed.status === 403) return allowed
    return json(400, { code: 'INVALID_ARGUMENT', cause })
  }

/** Retries a failed request with the body that `change` returns. It retries no unchanged body: a second timeout exceeds the client's limit. */
export const retryFailed =
  (
    names: readonly KnownOperation[],
    change: (body: JsonObject, answer: InterceptedAnswer, stage: Stage) => JsonObject | undefined,
  ): Interceptor =>
  (stage) =>
  async (request) => {
    const answer = await stage.handle(request)
    const body = isOneOf(request, names) && answer.status >= 400 ? bodyOf(request) : undefined
    const other = body && change(body, answer, stage)
    return other && !isDeepStrictEqual(other, body) ? stage.handle(withBody(request, other)) : answer
  }

/** Translates all answers to the form of the variant, and requests from it. */
export const translateTexts =
  (toVariant: (text: string) => string, fromVariant: (text: string) => string): Interceptor =>
  ({ handle }) =>
  async (request) => {
    const sent = request.body.toString('utf8')
    const meant = fromVariant(sent)
    const answer = await handle(meant === sent ? request : { ...request, body: Buffer.from(meant) })
    const text = toVariant(answer.text)
    return text === answer.text ? answer : { ...answer, text }
  }

/** Combines interceptors; the first is nearest to the participant. */
export const combineInterceptors =
  (several: readonly Interceptor[]): Interceptor =>
  (stage) =>
    several.reduce<Handler>((handle, interceptor) => interceptor({ ...stage, handle }), stage.handle)
