import type { SeenAs } from '../auth/caller.js'
import type { Decisions } from '../ledger/state/ledger-view.js'
import type { Interceptor } from './participant.js'

/** Replaces parts of a participant. Each part is used at one place of the simulator. */
export interface Overrides {
  /** Ids of rules that the participant does not enforce. */
  without?: readonly string[]
  /** Changes requests and answers, and causes further effects. */
  interceptor?: Interceptor
  /** Identifies the caller, from the caller that the token identifies. */
  seenAs?: SeenAs
  /** Decisions of the ledger. Called once for each participant. */
  decisions?: () => Partial<Decisions>
  /** Bytes of the largest body that the participant reads. */
  bodyLimit?: number
  /** A body above the limit is rejected before the participant has read it, and the connection ends with the answer. */
  cutsOff?: true
}
