/** An operation that answers with a stream, over HTTP and over a WebSocket. */
import type { JsonValue } from '../../lib/json/json.js'
import type { Caller } from '../auth/caller.js'
import { invalidArgument } from '../base/errors.js'
import type { Decoder } from '../json/decode.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Participant } from '../participant/participant.js'
import { type Call, CallSituation, type RequestHead } from './call.js'
import { answerToError, callOf, type Endpoint, endpoint } from './endpoint.js'
import { errorBody } from './error-body.js'
import type { Stream } from './stream.js'
import { streamList } from './stream-list.js'

export interface StreamEndpoint extends Endpoint {
  /** A request that came over a WebSocket; `head`: what the WebSocket was opened with. */
  receive(head: RequestHead, participant: Participant, message: Buffer): StreamRequest
}

export interface StreamRequest {
  /** Rejects with what the operation refuses. */
  open(): Promise<OpenStream>
  /** An error as a message for the client. */
  errorMessage(error: unknown): JsonValue
}

export interface OpenStream {
  stream: Stream
  caller: Caller
  /** The one that the stream shows. */
  ledger: Ledger
}

interface StreamDefinition<Body> {
  path: string
  body: Decoder<Body>
  /** Throws what the operation refuses. */
  open(call: Call<NoInfer<Body>>): Stream
}

export function streamEndpoint<Body>({ path, body, open }: StreamDefinition<Body>): StreamEndpoint {
  return {
    ...endpoint({ method: 'post', path, body, handle: (call) => streamList(open(call), call) }),
    receive: (request, participant, rawBody) => {
      const submission = new CallSituation(request, participant)
      return {
        open: async () => {
          const call = await callOf(body, { request, participant, rawBody, submission })
          return { stream: open(call), caller: call.caller, ledger: participant.ledger }
        },
        errorMessage: (error) => {
          const answer = answerToError(error, participant, submission)
          if ('json' in answer) return answer.json
          // Over HTTP it is a plain text, and every message of a WebSocket is JSON.
          const problem = 'text' in answer ? answer.text : 'the request was refused'
          return errorBody(invalidArgument('conversion', problem).details, submission).body
        },
      }
    },
  }
}
