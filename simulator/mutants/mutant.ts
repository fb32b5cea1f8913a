/** What a mutant is: one way in which a participant breaks one rule, and nothing else. */
import type { OperationName } from '../../interface/operations.js'
import type { SeenAs } from '../auth/caller.js'
import type { BehaviourName } from '../base/behaviour.js'
import type { Decisions } from '../ledger/state/decisions.js'
import type { Interceptor } from '../participant/participant.js'

/** Where a mutant shows: what has to be looked at to find it. */
export type Showing =
  | 'answer'
  | 'refusal'
  | 'acceptance'
  | 'ledger'
  | 'later'
  | 'completion'
  | 'vetting'
  | 'repetition'
  | 'race'

/** What a participant has to be for a mutant to show; the embedded simulator unless it is said. */
export interface Circumstances {
  /** Tokens are asked for. */
  authorization?: true
  behaviour?: BehaviourName
  protocolVersion?: 34 | 35
  synchronizers?: number
}

/** The switch points at which a participant can be made otherwise; each stands at one place of the simulator. */
export interface SwitchPoints {
  /** Rules whose checks are left out. */
  without?: readonly string[]
  /** What calls and answers look like at its door; and what happens there beside them, at once or later. */
  interceptor?: Interceptor
  /** Who calls, in its eyes: what it found of the token, and what stood in the header. */
  seenAs?: SeenAs
  /** Decisions of its ledger. Called once for each participant. */
  decisions?: () => Partial<Decisions>
}

export interface Mutant extends SwitchPoints {
  /** For the command line: lower case, with hyphens. */
  name: string
  /** Id of the one rule that it breaks. */
  rule: string
  /** Where it can be met. */
  operation: OperationName
  /** Some answers have the fault, and others have not. */
  intermittent?: true
  /** What such a participant does. */
  sentence: string
  shows: Showing
  where?: Circumstances
}
