type StateErrorCode =
  /** The text is no JSON. */
  | 'NOT_JSON'
  /** It is JSON of something else. */
  | 'NO_STATE'
  /** It was saved by a version of the simulator whose states look otherwise. */
  | 'STATE_VERSION'
  /** It was changed after it was saved, or speaks of what is not there. */
  | 'STATE_INCONSISTENT'

/** A text that cannot be taken for a saved state. */
export class StateError extends Error {
  override readonly name = 'StateError'
  readonly code: StateErrorCode
  /** Where in the text, counted from 1, if it is in one place. */
  readonly line: number | undefined

  constructor(code: StateErrorCode, message: string, line?: number) {
    super(message)
    this.code = code
    this.line = line
  }
}
