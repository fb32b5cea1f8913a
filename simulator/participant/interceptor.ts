/** Requests and answers as an interceptor of the participant sees and changes them. */
import type { operations, supportOperations } from '../../interface/operations.js'

export type KnownOperation = keyof typeof operations | keyof typeof supportOperations

/** A call as it arrived. */
export interface InterceptedRequest {
  /** Undefined: none of those that are known by name. */
  operation: KnownOperation | undefined
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** The same object for all calls of one connection. */
  connection: object
}

/** An answer as it is about to be sent. */
export interface InterceptedAnswer {
  status: number
  contentType: string | null
  text: string
  form?: SentForm
}

/** How an answer is sent, apart from what it says. */
export interface SentForm {
  /** Its length is not told beforehand, and it comes in several pieces. */
  inPieces?: true
  /** HTTP does not mind in which case names of headers are. */
  headersInCapitals?: true
}

export type Handler = (request: InterceptedRequest) => Promise<InterceptedAnswer>
