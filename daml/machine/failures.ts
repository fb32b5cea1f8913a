import type { DamlIdentifier } from '../../interface/daml-value.js'

export type Failure =
  /** `error` was called. */
  | { kind: 'userError'; message: string }
  /** `failWithStatus`, or an uncaught exception. The category of the interface. */
  | { kind: 'status'; errorId: string; category: number; message: string; metadata: Readonly<Record<string, string>> }
  /** Functions were compared. */
  | { kind: 'notComparable' }
  /** A cryptographic builtin received invalid input. */
  | {
      kind: 'crypto'
      problem: 'MalformedByteEncoding' | 'MalformedKey' | 'MalformedSignature'
      value: string
      message: string
    }
  | { kind: 'limit'; of: 'steps' | 'memory' }
  /** No package defines the name. */
  | { kind: 'missing'; id: DamlIdentifier; what: string }
  /** Impossible in a well-typed program. */
  | { kind: 'illTyped'; message: string }

export class EvaluationFailure extends Error {
  override readonly name = 'EvaluationFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super('message' in failure ? failure.message : failure.kind)
    this.failure = failure
  }
}

export function illTyped(message: string): never {
  throw new EvaluationFailure({ kind: 'illTyped', message })
}
