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
  /** From 1. */
  readonly line: number | undefined

  constructor(code: StateErrorCode, message: string, line?: number) {
    super(message)
    this.code = code
    this.line = line
  }
}
