/** Why a prepared transaction has no hash. */
import { cutText } from '../../lib/redaction/cut-text.js'

type HashProblem =
  /** A root or a child is not among the nodes. */
  | 'MISSING_NODE'
  /** A create or an exercise has no seed. */
  | 'MISSING_SEED'
  /** A node is its own descendant. */
  | 'CIRCULAR_NODES'
  /** The scheme does not cover the LF version or the kind of a node. */
  | 'NEWER_SCHEME_NEEDED'
  /** A node of LF version 2.1 has a contract key, which came with version 2. */
  | 'KEY_IN_OLD_NODE'
  /** A contract id that is no hex, or a hash that has not 32 bytes. */
  | 'MALFORMED_BYTES'

/** A prepared transaction that cannot be hashed; the message says where the problem is and what would help. */
export class TransactionHashError extends Error {
  override readonly name = 'TransactionHashError'
  readonly code: HashProblem

  constructor(code: HashProblem, message: string) {
    super(message)
    this.code = code
  }
}

/** A text from a prepared transaction, fit for a message: quoted, and cut where it is long. */
export const shown = (text: string): string => JSON.stringify(cutText(text, 80))
