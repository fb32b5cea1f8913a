/** Limits are from the reference 3.5.10 and its source. */
import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { Caller } from '../auth/caller.js'
import { invalidArgument, tooManyElements } from '../base/errors.js'
import type { Decoder } from '../json/decode.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Participant } from '../participant/participant.js'
import { type Answer, contentTypes, ok } from './answer.js'
import { type Call, CallSituation, integerParameter, type RequestHead } from './call.js'
import { answerToError, callOf, type Endpoint, endpoint, type Place } from './endpoint.js'
import { errorBody } from './error-body.js'

/** Over HTTP one list, over a WebSocket messages. */
export interface Stream {
  openEnded: boolean
  /** Elements since the previous call. */
  next(): Iterable<JsonValue>
}

/** Lazy; drops undefined elements. */
export function* mapped<Item, Element>(
  items: Iterable<Item>,
  make: (item: Item) => Element | undefined,
): Iterable<Element> {
  for (const item of items) {
    const element = make(item)
    if (element !== undefined) yield element
  }
}

const mostElements = 200
const usualIdleTime = 500

interface Circumstances {
  participant: Participant
  /** `limit`: of elements; `stream_idle_timeout_ms`: wait for the next one. */
  query: URLSearchParams
  deadline: AbortController
}

/**
 * Rejects also with `PlainRefusal`, and for a long list without `limit`.
 * @internal
 */
export async function streamList(
  stream: Stream,
  { participant: { clock, ledger }, query, deadline }: Circumstances,
): Promise<Answer> {
  const limit = integerParameter(query, 'limit') ?? mostElements + 1
  const idleTime = integerParameter(query, 'stream_idle_timeout_ms') ?? usualIdleTime
  const wanted = Math.max(0, Math.min(limit, mostElements + 1))
  const elements: JsonValue[] = []
  const isFull = (): boolean => elements.length >= wanted
  const read = (): void => {
    if (isFull()) return
    for (const element of stream.next()) {
      elements.push(element)
      if (isFull()) return
    }
  }
  const later = (): bigint => clock.base.now() + BigInt(Math.max(0, idleTime)) * 1000n
  read()
  let end = later()
  while (stream.openEnded && !isFull() && !deadline.signal.aborted) {
    const ended = new AbortController()
    const either = AbortSignal.any([deadline.signal, ended.signal])
    await Promise.race([clock.base.reach(end, either), ledger.changes.next(either)])
    ended.abort()
    const { length } = elements
    read()
    // Each element restarts the waiting time.
    if (elements.length > length) end = later()
    else if (clock.base.now() >= end) break
  }
  if (elements.length > mostElements) throw tooManyElements(mostElements)
  return ok(elements)
}

export interface StreamEndpoint extends Endpoint {
  /** `head`: of the WebSocket handshake. */
  receive(head: RequestHead, participant: Participant, message: Buffer): StreamRequest
}

export const isStream = (endpoint: Endpoint): endpoint is StreamEndpoint => 'receive' in endpoint

export interface StreamRequest {
  /** Rejects with the operation's error. */
  open(): Promise<OpenStream>
  /** JSON. */
  errorMessage(error: unknown): string
}

export interface OpenStream {
  stream: Stream
  caller: Caller
  ledger: Ledger
}

interface StreamDefinition<Body> extends Place {
  body: Decoder<Body>
  open(call: Call<NoInfer<Body>>): Stream
}

export function streamEndpoint<Body>({ body, open, ...place }: StreamDefinition<Body>): StreamEndpoint {
  return {
    ...endpoint({ ...place, body, handle: (call) => streamList(open(call), call) }),
    receive: (request, participant, rawBody) => {
      const submission = new CallSituation(request, participant)
      return {
        open: async () => {
          const call = await callOf(body, { request, participant, rawBody, submission })
          return { stream: open(call), caller: call.caller, ledger: participant.ledger }
        },
        errorMessage: (error) => {
          const answer = answerToError(error, participant, submission)
          const content = String(answer.content)
          if (answer.type === contentTypes.json) return content
          // Over HTTP the error is plain text.
          return printJson(errorBody(invalidArgument('conversion', content).details, submission).body)
        },
      }
    },
  }
}
