/** What is said of a target beside where it is: what it cannot do, what is there already, and what others have signed for it. */
import type { OperationName, SupportName } from '../../interface/operations.js'
import type { PresignedKey } from '../sign/presigned-key.js'
import type { DeclaredFacts } from './declared-facts.js'

/** What a run needs to know beside the place of the target. */
export interface TargetAccess {
  /** The name of the file, as it was called; empty where there is none. */
  file: string
  /** Callers identify themselves as the file tells. */
  authorizes?: boolean
  /** The synchronizer as prepared transactions name it. */
  synchronizerId?: string
  /** Operations that are not called. */
  unreachable: ReadonlySet<SupportName | OperationName>
  /** Parties that are there already, by the fixtures that they stand for. */
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

/** A party that signs for itself, and some of its signatures. */
export interface PresignedParty {
  party: string
  key: PresignedKey
  /** At least one. */
  transactions: PresignedTransaction[]
}

/** A prepared transaction with its hash (both base64), as `prepare` answered them, which the party has signed. */
export interface PresignedTransaction {
  prepared: string
  hash: string
  /** Occurs in it and in no other one: the command is `command-MARK`, its contract `ping-MARK`. */
  mark: string
  /** As the transaction names it. */
  synchronizerId: string
}

/** By these a request is refused before it comes to the ledger; any other answer may mean that its transaction was seen there. */
export const rejectedBeforeLedger: ReadonlySet<string> = new Set(['400', '401', '403', '405', '406', '413', '415'])
