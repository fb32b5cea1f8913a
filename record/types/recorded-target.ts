/** The target of a run in its record: connection, callers, missing credentials. */

/** The connection to the target, without any secret. */
export interface RecordedConnection {
  /** The run verified no certificate: another server may have answered. */
  insecure?: true
  /** Scheme, host and port. */
  proxy?: string
  /** Names of headers that were sent with every request. */
  headers?: string[]
  /** The settings added trusted certificate authorities. */
  ca?: true
  clientCertificate?: true
}

/** The user that called as an actor of the suite. */
export interface RecordedCaller {
  actor: string
  user: string
  /** The source of its token, in words. */
  credential: string
  /** The run made the user. */
  made: boolean
  /** The user's rights as known to the run, with parties by their fixtures; absent if rights limit nothing. */
  rights?: string[]
  /** The settings state these rights; the run did not request them. */
  declared?: true
}

/** Rows that did not run because credentials were missing; together these credentials enable them. */
export interface RecordedWant {
  credentials: string[]
  rows: number
}
