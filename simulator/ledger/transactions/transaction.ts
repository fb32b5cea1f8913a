import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import type { Contract, ContractKey } from '../contracts/contract.js'

interface CommonNode {
  /** Position in the transaction, depth first, from 0. */
  id: number
  /** Parties that learn of this node: its informees and those of every node above it. */
  witnesses: string[]
}

/** A node that brings something about: what arises from it follows from its 32 bytes, until it is committed. */
interface Seeded {
  seed: Buffer
}

export interface KeptCreate extends CommonNode {
  kind: 'create'
  contract: Contract
}

export interface FetchNode extends CommonNode {
  kind: 'fetch'
  contract: Contract
  /** As which it was fetched: perhaps of another version of the package than the contract's own. */
  template: DamlIdentifier
  interface?: DamlIdentifier
  byKey: boolean
  /** With whose authority: the stakeholders among those who have it here. */
  acting: string[]
}

export interface KeptExercise extends CommonNode {
  kind: 'exercise'
  contract: Contract
  /** Whose choice it is: perhaps of another version of the package than the contract's own template. */
  template: DamlIdentifier
  interface?: DamlIdentifier
  choice: string
  argument: DamlValue
  acting: string[]
  /** Who learns of it because the choice says so. */
  choiceObservers: string[]
  byKey: boolean
  consuming: boolean
  /** Undefined: it was taken back before it had one. */
  result: DamlValue | undefined
  /** Id of the last node below this one, or its own. */
  lastDescendant: number
}

/** A node of a committed transaction. */
export type KeptNode = KeptCreate | FetchNode | KeptExercise

export interface CreateNode extends KeptCreate, Seeded {}
export interface ExerciseNode extends KeptExercise, Seeded {}

export type Node = CreateNode | FetchNode | ExerciseNode

/** A question by key, and which contracts were the answer. */
export interface QueryNode extends CommonNode {
  kind: 'query'
  template: DamlIdentifier
  packageName: string
  key: ContractKey
  exhaustive: boolean
  result: string[]
}

/** A part of the transaction that an exception took back. */
interface RollbackNode {
  kind: 'rollback'
  id: number
  lastDescendant: number
}

/** Nodes that have an id, and of which nobody is told: questions by key, and whatever was taken back. */
export type HiddenNode = Node | QueryNode | RollbackNode

/** The times, in microseconds, at which the transaction would be the same one; undefined: there is no bound. */
export interface TimeBounds {
  min?: bigint
  max?: bigint
}

/** What the commands of one submission do, before anything is committed. */
export interface Interpretation {
  /** In order. Between their ids are those of the hidden ones. */
  nodes: Node[]
  hidden: HiddenNode[]
  ledgerTime: TimeBounds
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
  nodes: KeptNode[]
  /** Microseconds since 1970. */
  effectiveAt: bigint
  recordTime: bigint
  synchronizerId: string
  traceId: string
  /** Offset after which an equal change would have been a duplicate. */
  deduplicatedAfter: number
  /** Hex of the hash that its parties have signed, if they did. */
  externalHash?: string
}

/** Ids of contracts that the nodes create, and of those that they consume. */
export function contractChanges(nodes: readonly KeptNode[]): { created: Map<string, Contract>; archived: Set<string> } {
  const created = new Map<string, Contract>()
  const archived = new Set<string>()
  for (const node of nodes) {
    if (node.kind === 'create') created.set(node.contract.id, node.contract)
    if (node.kind === 'exercise' && node.consuming) archived.add(node.contract.id)
  }
  return { created, archived }
}
