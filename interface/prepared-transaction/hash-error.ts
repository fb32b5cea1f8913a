import { cutText } from '../../lib/redaction/cut-text.js'

type HashProblem =
  /** A root or a child does not exist. */
  | 'MISSING_NODE'
  | 'MISSING_SEED'
  | 'CIRCULAR_NODES'
  /** The scheme does not cover the LF version or node. */
  | 'NEWER_SCHEME_NEEDED'
  /** LF version 2.1 has no contract keys. */
  | 'KEY_IN_OLD_NODE'
  /** A contract id that is not hex, or a hash that does not have 32 bytes. */
  | 'MALFORMED_BYTES'

/** The message has the place and a remedy. */
export class TransactionHashError extends Error {
  override readonly name = 'TransactionHashError'
  readonly code: HashProblem

  constructor(code: HashProblem, message: string) {
    super(message)
    this.code = code
  }
}

/** Quoted and cut, for messages. */
export const shown = (text: string): string => JSON.stringify(cutText(text, 80))
