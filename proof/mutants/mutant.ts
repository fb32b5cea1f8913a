import type { OperationName } from '../../interface/operations.js'
import type { BehaviourName } from '../../simulator/base/behaviour.js'
import type { Overrides } from '../../simulator/participant/overrides.js'

/** Where the fault is visible. */
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

/** A configuration of the simulator; default: that of the embedded one. */
export interface Circumstances {
  authorization?: true
  behaviour?: BehaviourName
  protocolVersion?: 34 | 35
  synchronizers?: number
}

/** A participant that breaks one rule. */
export interface Mutant extends Overrides {
  /** Lower case, with hyphens. */
  name: string
  rule: string
  operation: OperationName
  /** Only some answers have the fault. */
  intermittent?: true
  sentence: string
  shows: Showing
  /** The configuration in which the fault is visible. */
  where?: Circumstances
}
