import type { JsonValue } from '../../lib/json/json.js'
import type { Caller } from '../auth/caller.js'
import { invalidArgument } from '../base/errors.js'
import type { Decoder } from '../json/decode.js'
import type { Ledger } from '../ledger/state/ledger.js'
import type { Participant } from '../participant/participant.js'
import { type Call, CallSituation, type RequestHead } from './call.js'
import { answerToError, callOf, type Endpoint, endpoint, type Place } from './endpoint.js'
import { errorBody } from './error-body.js'
import { type Stream, streamList } from './stream.js'

export interface StreamEndpoint extends Endpoint {
  /** `head`: of the WebSocket handshake. */
  receive(head: RequestHead, participant: Participant, message: Buffer): StreamRequest
}

export const isStream = (endpoint: Endpoint): endpoint is StreamEndpoint => 'receive' in endpoint

export interface StreamRequest {
  /** Rejects with the operation's error. */
  open(): Promise<OpenStream>
  errorMessage(error: unknown): JsonValue
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
          if ('json' in answer) return answer.json
          // Over HTTP the error is plain text.
          const problem = 'text' in answer ? answer.text : 'the request was rejected'
          return errorBody(invalidArgument('conversion', problem).details, submission).body
        },
      }
    },
  }
}
