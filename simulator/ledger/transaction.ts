import type { DamlIdentifier, DamlValue } from '../../interface/daml-value.js'
import type { DamlType } from '../../model/description.js'
import type { Contract } from './contract.js'

interface CommonNode {
  /** Position in the transaction, depth first, from 0. */
  id: number
  /** Parties that learn of this node: its informees and those of every node above it. */
  witnesses: string[]
}

/** A node that brings something about; what arises from it follows from its 32 bytes. */
interface SeededNode extends CommonNode {
  seed: Buffer
}

export interface CreateNode extends SeededNode {
  kind: 'create'
  contract: Contract
}

export interface FetchNode extends CommonNode {
  kind: 'fetch'
  contract: Contract
  /** As which it was fetched: perhaps of another version of the package than the contract's own. */
  template: DamlIdentifier
}

export interface ExerciseNode extends SeededNode {
  kind: 'exercise'
  contract: Contract
  /** Whose choice it is: perhaps of another version of the package than the contract's own template. */
  template: DamlIdentifier
  interface?: DamlIdentifier
  choice: string
  argument: DamlValue
  argumentType: DamlType
  acting: string[]
  consuming: boolean
  result: DamlValue
  resultType: DamlType
  /** Id of the last node below this one, or its own. */
  lastDescendant: number
}

export type Node = CreateNode | FetchNode | ExerciseNode

/** What the commands of one submission do, before anything is committed. */
export interface Interpretation {
  nodes: Node[]
  /** Ledger time was read, so the transaction is bound to it. */
  readsTime: boolean
  /** Every party that has to know. */
  informees: string[]
}

export interface Submission {
  userId: string
  commandId: string
  submissionId: string
  workflowId: string
  actAs: string[]
  readAs: string[]
}

/** A committed transaction. */
export interface Transaction {
  updateId: string
  offset: number
  submission: Submission
  nodes: Node[]
  /** Microseconds since 1970. */
  effectiveAt: bigint
  recordTime: bigint
  synchronizerId: string
  traceId: string
  /** Hex of the hash that its parties have signed, if they did. */
  externalHash?: string
}

/** Ids of contracts that the nodes create, and of those that they consume. */
export function contractChanges(nodes: readonly Node[]): { created: Map<string, Contract>; archived: Set<string> } {
  const created = new Map<string, Contract>()
  const archived = new Set<string>()
  for (const node of nodes) {
    if (node.kind === 'create') created.set(node.contract.id, node.contract)
    if (node.kind === 'exercise' && node.consuming) archived.add(node.contract.id)
  }
  return { created, archived }
}
