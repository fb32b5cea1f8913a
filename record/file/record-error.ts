/**
 * What went wrong with a record file itself:
 * - `unreadable`: the file cannot be opened or read
 * - `no-header`: its first line is not the header of a run record
 * - `unknown-format`: the header has a format number that this version does not know, or no longer
 * - `unwritable`: the file cannot be created or a line cannot be added (disk full, no permission)
 * - `closed`: a row was given to a writer that had written its footer
 */
export type RecordErrorCode = 'unreadable' | 'no-header' | 'unknown-format' | 'unwritable' | 'closed'

/** A run record that cannot be used at all. Everything short of that is a defect that the record's reader lists. */
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
