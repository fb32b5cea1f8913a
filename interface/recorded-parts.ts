/** Recorded bodies and headers. Only types, because the report page imports them. */

/** `text` for UTF-8, otherwise `base64`. `bytes`: full length before any cut. */
export interface RecordedBody {
  text?: string
  base64?: string
  bytes: number
  cut?: true
  /** SHA-256 (hex) of the whole body, if it was cut after judging. */
  sha256?: string
}

export type RecordedHeaders = [name: string, value: string][]
