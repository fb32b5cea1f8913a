export type RecordErrorCode = 'unreadable' | 'no-header' | 'unknown-format' | 'unwritable'

export class RecordError extends Error {
  override readonly name = 'RecordError'
  readonly code: RecordErrorCode
  readonly path: string

  constructor(code: RecordErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(`${path}: ${message}`, options)
    this.code = code
    this.path = path
  }
}
