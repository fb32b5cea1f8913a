/** What a target file says: where the target is, what it cannot do, and what others have prepared and signed for it. */
import type { PresignedKey } from '../sign/presigned-key.js'

/** Support operations that a target may be without. */
export const unreachableOperations = ['prepare', 'generate-external-topology', 'allocate-external-party'] as const

export type Unreachable = (typeof unreachableOperations)[number]

export interface TargetFile extends TargetAccess {
  url?: string
  /** `none`, or `hs256:SECRET`. */
  authorization?: string
  protocolVersion?: number
}

/** What a run needs to know beside the place of the target. */
export interface TargetAccess {
  /** The name of the file, as it was called. */
  file: string
  /** Callers identify themselves as the file tells. */
  authorizes?: boolean
  /** The synchronizer as prepared transactions name it. */
  synchronizerId?: string
  unreachable: ReadonlySet<Unreachable>
  presigned: readonly PresignedParty[]
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
  /** Occurs in it and in no other one: the command is `command MARK`, its contract `ping MARK`. */
  mark: string
  /** As the transaction names it. */
  synchronizerId: string
}
