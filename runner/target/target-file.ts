/** Facts of a target file about the participant. */
import type { OperationName, SupportName } from '../../interface/operations.js'
import type { PresignedKey } from '../sign/presigned-key.js'
import type { DeclaredFacts } from './declared-facts.js'

export interface TargetAccess {
  /** Path of the file as given; empty without a file. */
  file: string
  /** The file sets the authorization. */
  authorizes?: boolean
  /** As prepared transactions name the synchronizer. */
  synchronizerId?: string
  /** Operations that the run does not call. */
  unreachable: ReadonlySet<SupportName | OperationName>
  /** Existing parties by fixture name. */
  parties: ReadonlyMap<string, string>
  presigned: readonly PresignedParty[]
  claims: DeclaredFacts
}

export const defaultAccess: TargetAccess = {
  file: '',
  unreachable: new Set(),
  parties: new Map(),
  presigned: [],
  claims: new Map(),
}

/** An external party with some of its signatures. */
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
  /** Unique to this transaction: its command is `command-MARK`, its contract `ping-MARK`. */
  mark: string
  synchronizerId: string
}

/** Statuses of rejections before the ledger. After any other answer, the ledger may have seen the transaction. */
export const rejectedBeforeLedger: ReadonlySet<string> = new Set(['400', '401', '403', '405', '406', '413', '415'])
