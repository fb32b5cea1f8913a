export type ConformanceErrorCode =
  | 'INVALID_OPTION'
  | 'NOTHING_SELECTED'
  /** The participant is unreachable, or rejects required parties, users or contracts. */
  | 'TARGET_UNUSABLE'
  /** The simulator cannot listen on the port. */
  | 'PORT_UNUSABLE'
  /** The value is not a state that this version saved. */
  | 'INVALID_STATE'
  | 'LISTENER_FAILED'
  /** A control or snapshot function rejects its argument. */
  | 'CONTROL_REFUSED'

/**
 * An error that the caller can fix. `message` states problem and remedy; `cause` is the original error.
 * @example
 * const error = await startSimulator({ port: -1 }).catch((caught: unknown) => caught)
 * if (error instanceof ConformanceError) error.code // 'INVALID_OPTION'
 */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
  readonly code: ConformanceErrorCode

  constructor(code: ConformanceErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
