/** A body without its secrets: `text` where it is UTF-8, else `base64`. */
export interface ExchangedBody {
  text?: string
  base64?: string
  /** Its full length; no more than the first 64 Ki characters are kept. */
  bytes: number
  cut?: true
}

/** A call that the simulator took, and how it answered. */
export interface Exchange {
  /** Counted from 1. */
  number: number
  /** Name of the operation, or its method and path; null where there is none at that path. */
  operation: string | null
  /** ISO 8601, in UTC. */
  startedAt: string
  milliseconds: number
  request: { method: string; path: string; headers: [name: string, value: string][]; body?: ExchangedBody }
  /** Absent where the caller went away, or a fault took its place. */
  response?: { status: number; contentType?: string; body?: ExchangedBody }
  /** Why the token was not accepted. The client does not learn it. */
  rejectedToken?: string
  /** Faults that were injected. */
  faults?: string[]
  /** A WebSocket, noted when it is closed: how many messages it was sent, and the close code. */
  socket?: { sent: number; code: number }
}

/** What the simulator was asked and what it answered: the last 1000 exchanges, or fewer if they are long. */
export interface Journal {
  /** The last ones, 100 unless given, oldest first; with one operation, or all. Rejects with `ConformanceError`. */
  read(selection?: { operation?: string; last?: number }): Promise<Exchange[]>
  clear(): Promise<void>
}
