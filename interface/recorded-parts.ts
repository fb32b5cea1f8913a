/** How bodies and headers are kept that were seen. Types alone: the page of the report knows them too. */

/** Bytes that were sent or received: `text` where they are UTF-8, else `base64`. `bytes` is the full length before any cut. */
export interface RecordedBody {
  text?: string
  base64?: string
  bytes: number
  cut?: true
}

export type RecordedHeaders = [name: string, value: string][]
