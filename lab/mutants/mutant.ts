import type { OperationName } from '../../interface/operations.js'
import { suggestion } from '../../lib/suggest.js'
import { UsageError } from '../../lib/usage-error.js'
import type { BehaviourName } from '../../simulator/base/behaviour.js'
import type { Overrides } from '../../simulator/participant/participant.js'

/** Where the fault is visible. `reads`: in the reads of the ledger after the last row, or these reads have the fault. */
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
  | 'reads'

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

export const fault = (
  operation: OperationName,
  rule: string,
  shows: Showing,
): Pick<Mutant, 'operation' | 'rule' | 'shows'> => ({ operation, rule, shows })

/** Finds an item by its name. Throws `UsageError` with a suggestion. `kind`: the kind of item, for the message. */
export function findNamed<T extends { name: string }>(kind: string, name: string, among: readonly T[]): T {
  const found = among.find((item) => item.name === name)
  if (found) return found
  const hint = suggestion(name, new Set(among.map((item) => item.name)))
  throw new UsageError(`unknown ${kind} ${JSON.stringify(name.slice(0, 100))}; ${hint}`)
}
