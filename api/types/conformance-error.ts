/** Why a call of the library failed. */
export type ConformanceErrorCode =
  /** An option, or a file that it names, is not as it has to be. */
  | 'INVALID_OPTION'
  /** No row matches the pattern that selects rows. */
  | 'NOTHING_SELECTED'
  /** The participant cannot be reached, or does not let the run make what it needs. */
  | 'TARGET_UNUSABLE'
  /** The simulator cannot listen on the port. */
  | 'PORT_UNUSABLE'
  /** A text is no state that a simulator of this version saved. */
  | 'INVALID_STATE'
  /** A listener of `on` threw, or its promise was rejected; `cause` is its error. */
  | 'LISTENER_FAILED'
  /** The simulator cannot do what its control was asked for. */
  | 'CONTROL_REFUSED'

/** What the caller of the library can put right: `message` says what happened, and what to do. `cause` is where it came from. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError'
  readonly code: ConformanceErrorCode

  constructor(code: ConformanceErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}
