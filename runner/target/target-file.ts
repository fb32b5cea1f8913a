import type { OperationName, SupportName } from '../../interface/operations.js'
import type { JsonValue } from '../../lib/json/json.js'
import type { PresignedKey } from '../sign/presigned-key.js'

export type DeclaredFacts = ReadonlyMap<string, JsonValue>

/** Values by fixture and member. */
export type GivenFixtures = ReadonlyMap<string, Readonly<Record<string, JsonValue>>>

export interface TargetAccess {
  /** As given; empty without a file. */
  file: string
  /** As prepared transactions name the synchronizer. */
  synchronizerId?: string
  unreachable: ReadonlySet<SupportName | OperationName>
  parties: ReadonlyMap<string, string>
  given: GivenFixtures
  presigned: readonly PresignedParty[]
  claims: DeclaredFacts
}

export const defaultAccess: TargetAccess = {
  file: '',
  unreachable: new Set(),
  parties: new Map(),
  given: new Map(),
  presigned: [],
  claims: new Map(),
}

export interface PresignedParty {
  party: string
  key: PresignedKey
  /** At least one. */
  transactions: PresignedTransaction[]
}

/** `prepared` and `hash` are in base64, as `prepare` returns them. */
export interface PresignedTransaction {
  prepared: string
  hash: string
  /** Unique: the command is `command-MARK`, the contract `ping-MARK`. */
  mark: string
  /** Absent if the encoding of the transaction is unknown. */
  synchronizerId?: string
}

/** After any other status, the ledger may have seen the transaction. */
export const rejectedBeforeLedger: ReadonlySet<string> = new Set(['400', '401', '403', '405', '406', '413', '415'])
