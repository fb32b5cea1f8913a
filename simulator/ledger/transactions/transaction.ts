import type { DamlIdentifier, DamlRecord, DamlValue } from '../../../interface/daml-value.js'
import type { LedgerError, RedactedError } from '../../base/errors.js'
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

export interface NumberedNodes {
  /** In order; hidden nodes have the ids between. */
  nodes: Node[]
  hidden: HiddenNode[]
  informees: string[]
}

export interface Interpretation extends NumberedNodes {
  ledgerTime: TimeBounds
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

/**
 * Contracts by id. A contract that the transaction creates and archives is in both.
 * @example
 * const { created, archived } = contractChanges(transaction.nodes)
 * archived.has(contractId) // true after a consuming exercise
 */
export function contractChanges(nodes: readonly KeptNode[]): { created: Map<string, Contract>; archived: Set<string> } {
  const created = new Map<string, Contract>()
  const archived = new Set<string>()
  for (const node of nodes) {
    if (node.kind === 'create') created.set(node.contract.id, node.contract)
    if (node.kind === 'exercise' && node.consuming) archived.add(node.contract.id)
  }
  return { created, archived }
}

/** Without seeds, which are useless after the commit. */
export const keptNodes = (nodes: readonly Node[], shared: SharedParts): KeptNode[] =>
  nodes.map((node) => {
    const witnesses = shared.list(node.witnesses)
    if (node.kind === 'fetch') return { ...node, witnesses, acting: shared.list(node.acting) }
    if (node.kind === 'create') {
      const { kind, id, contract } = node
      contract.signatories = shared.list(contract.signatories)
      contract.observers = shared.list(contract.observers)
      contract.argument = shared.record(contract.argument)
      return { kind, id, contract, witnesses }
    }
    const { seed: _, ...kept } = node
    const [acting, choiceObservers] = [shared.list(node.acting), shared.list(node.choiceObservers)]
    return Object.assign(kept, { witnesses, acting, choiceObservers })
  })

export const keptSubmission = (submission: Submission, shared: SharedParts): Submission => ({
  ...submission,
  actAs: shared.list(submission.actAs),
  readAs: shared.list(submission.readAs),
})

type Field = DamlRecord['fields'][number]

/** Number of known parts; shared ones stay shared. */
const mostKnown = 10_000

/** Only saves memory: a ledger stores millions of small transactions, so equal parts are stored once. */
export class SharedParts {
  readonly #lists = new Map<string, string[]>()
  readonly #fields = new Map<string, Field>()

  list(parties: string[]): string[] {
    return known(this.#lists, parties.join('\n'), () => parties)
  }

  /** Shares fields that contain a party. */
  record(record: DamlRecord): DamlRecord {
    return { kind: 'record', id: record.id, fields: record.fields.map((field) => this.#field(field)) }
  }

  #field(field: Field): Field {
    const [label, value] = field
    if (value.kind !== 'party') return [label, this.#value(value)]
    return known(this.#fields, `${label}\n${value.value}`, () => {
      const [party = ''] = this.list([value.value])
      return [label, { kind: 'party', value: party }]
    })
  }

  #value(value: DamlValue): DamlValue {
    return value.kind === 'record' ? this.record(value) : value
  }
}

function known<T>(parts: Map<string, T>, key: string, make: () => T): T {
  const found = parts.get(key)
  if (found !== undefined) return found
  if (parts.size >= mostKnown) parts.clear()
  const made = make()
  parts.set(key, made)
  return made
}

export type Completion = Transaction | Refusal

interface Refusal {
  offset: number
  submission: Submission
  traceId: string
  /** Microseconds since 1970. */
  recordTime: bigint
  /** An equal change after this offset would have been a duplicate. */
  deduplicatedAfter: number
  synchronizerId: string
  /** Hex of the hash that the parties signed. */
  externalHash?: string
  /** The waiting operations return the same error. */
  error: LedgerError['details'] | { redacted: RedactedError['grpc'] }
}

export interface StoredContract {
  contract: Contract
  createdBy: Transaction
  archivedBy?: Transaction
  /** In order; absent: none. */
  reassignments?: { synchronizerId: string; offset: number }[]
}

export function assignmentOf(
  { createdBy, reassignments = [] }: Readonly<StoredContract>,
  offset = Number.POSITIVE_INFINITY,
): { synchronizerId: string; reassignmentCounter: number } {
  const moves = reassignments.filter((move) => move.offset <= offset)
  return { synchronizerId: (moves.at(-1) ?? createdBy).synchronizerId, reassignmentCounter: moves.length }
}
