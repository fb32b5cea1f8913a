import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import type { Contract, ContractKey } from '../contracts/contract.js'

interface CommonNode {
  /** Position in the transaction, depth first, from 0. */
  id: number
  /** The informees of this node and of each node above it. */
  witnesses: string[]
}

/** 32 bytes from which contract ids follow; dropped at the commit. */
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
  /** Possibly of a different package version than the contract's. */
  template: DamlIdentifier
  interface?: DamlIdentifier
  byKey: boolean
  /** The stakeholders among the authorizers. */
  acting: string[]
}

export interface KeptExercise extends CommonNode {
  kind: 'exercise'
  contract: Contract
  /** Possibly of a different package version than the contract's. */
  template: DamlIdentifier
  interface?: DamlIdentifier
  choice: string
  argument: DamlValue
  acting: string[]
  choiceObservers: string[]
  byKey: boolean
  consuming: boolean
  /** Undefined: an exception interrupted the exercise. */
  result: DamlValue | undefined
  /** Id of the last node below this one, or its own. */
  lastDescendant: number
}

export type KeptNode = KeptCreate | FetchNode | KeptExercise

export interface CreateNode extends KeptCreate, Seeded {}
export interface ExerciseNode extends KeptExercise, Seeded {}

export type Node = CreateNode | FetchNode | ExerciseNode

export interface QueryNode extends CommonNode {
  kind: 'query'
  template: DamlIdentifier
  packageName: string
  key: ContractKey
  exhaustive: boolean
  result: string[]
}

interface RollbackNode {
  kind: 'rollback'
  id: number
  lastDescendant: number
}

/** Nodes that no update shows: queries by key and rolled back nodes. */
export type HiddenNode = Node | QueryNode | RollbackNode

/** In microseconds; undefined: unbounded. */
export interface TimeBounds {
  min?: bigint
  max?: bigint
}

export interface Interpretation {
  /** In order; hidden nodes have the ids between. */
  nodes: Node[]
  hidden: HiddenNode[]
  ledgerTime: TimeBounds
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
  /** An equal change after this offset would have been a duplicate. */
  deduplicatedAfter: number
  /** Hex of the hash that the parties signed. */
  externalHash?: string
}

export function contractChanges(nodes: readonly KeptNode[]): { created: Map<string, Contract>; archived: Set<string> } {
  const created = new Map<string, Contract>()
  const archived = new Set<string>()
  for (const node of nodes) {
    if (node.kind === 'create') created.set(node.contract.id, node.contract)
    if (node.kind === 'exercise' && node.consuming) archived.add(node.contract.id)
  }
  return { created, archived }
}
