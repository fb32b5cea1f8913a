import type { operations, supportOperations } from '../../interface/operations.js'

export type KnownOperation = keyof typeof operations | keyof typeof supportOperations

export interface InterceptedRequest {
  /** Undefined: another operation. */
  operation: KnownOperation | undefined
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** The same object for all requests of one connection. */
  connection: object
}

export interface InterceptedAnswer {
  status: number
  contentType: string | null
  text: string
  form?: SentForm
}

export interface SentForm {
  /** In several pieces, without Content-Length. */
  inPieces?: true
  /** Names of HTTP headers are case-insensitive. */
  headersInCapitals?: true
}

export type Handler = (request: InterceptedRequest) => Promise<InterceptedAnswer>
