/** Why an evaluation came to an end without a result. */
import type { DamlIdentifier } from '../../interface/daml-value.js'

export type Failure =
  /** `error` was called. */
  | { kind: 'userError'; message: string }
  /** `failWithStatus` was called, or nobody caught an exception. The category is that of the interface. */
  | { kind: 'status'; errorId: string; category: number; message: string; metadata: Readonly<Record<string, string>> }
  /** Values of functions were compared. */
  | { kind: 'notComparable' }
  /** A builtin of cryptography was given what it cannot read. */
  | {
      kind: 'crypto'
      problem: 'MalformedByteEncoding' | 'MalformedKey' | 'MalformedSignature'
      value: string
      message: string
    }
  /** More steps or memory than an evaluation may take. */
  | { kind: 'limit'; of: 'steps' | 'memory' }
  /** A definition that no package has. */
  | { kind: 'missing'; id: DamlIdentifier; what: string }
  /** What a well-typed program never does. */
  | { kind: 'illTyped'; message: string }

export class EvaluationFailure extends Error {
  override readonly name = 'EvaluationFailure'
  readonly failure: Failure

  constructor(failure: Failure) {
    super('message' in failure ? failure.message : failure.kind)
    this.failure = failure
  }
}

/** For what only a program that is not well typed can lead to. */
export function illTyped(message: string): never {
  throw new EvaluationFailure({ kind: 'illTyped', message })
}
