/** Only types: the report page imports them. */

/** `text` for UTF-8. `bytes`: full length before any cut. */
export interface RecordedBody {
  text?: string
  base64?: string
  bytes: number
  cut?: true
  /** SHA-256 of the whole body before the cut, in hex. */
  sha256?: string
}

export type RecordedHeaders = [name: string, value: string][]
