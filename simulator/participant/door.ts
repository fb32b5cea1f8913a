/** The door of a participant: what calls look like on their way in, and answers on their way out. */
import type { operations, supportOperations } from '../../interface/operations.js'

export type KnownOperation = keyof typeof operations | keyof typeof supportOperations

/** A call as it arrived. */
export interface Asked {
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
export interface Told {
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

export type Answering = (asked: Asked) => Promise<Told>
