import type { Permission } from './effects.js'

/** Without secrets. */
export interface RecordedConnection {
  /** No certificate was verified. */
  insecure?: true
  proxy?: string
  /** Names of headers sent with every request. */
  headers?: string[]
  /** Additional certificate authorities. */
  ca?: true
  clientCertificate?: true
}

export interface RecordedCaller {
  actor: string
  user: string
  credential: string
  made: boolean
  /** Parties by their fixtures; absent if rights limit nothing. */
  rights?: string[]
  declared?: true
}

export interface RecordedWant {
  credentials: string[]
  /** Needed together with the credentials. */
  permissions?: Permission[]
  rows: number
}
