type StateErrorCode =
  | 'NOT_JSON'
  | 'NO_STATE'
  | 'STATE_VERSION'
  /** Changed after the save, or incomplete. */
  | 'STATE_INCONSISTENT'
  | 'STATE_TOO_LARGE'

export class StateError extends Error {
  override readonly name = 'StateError'
  readonly code: StateErrorCode

  constructor(code: StateErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
