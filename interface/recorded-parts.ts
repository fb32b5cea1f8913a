/** How bodies and headers are kept that were seen. Types alone: the page of the report knows them too. */

/** Bytes that were sent or received: `text` where they are UTF-8, else `base64`. `bytes` is the full length before any cut. */
export interface RecordedBody {
  text?: string
  base64?: string
  bytes: number
  cut?: true
  /** Of an answer that was judged whole and cut afterwards: SHA-256 (hex) of what stood here, in UTF-8 or as its bytes. */
  sha256?: string
}

export type RecordedHeaders = [name: string, value: string][]
