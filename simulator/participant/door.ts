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
}

export type Answering = (asked: Asked) => Promise<Told>
