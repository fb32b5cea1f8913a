/** Names of the protobuf messages. Decoding does not validate strings. */
import type { DamlIdentifier, DamlValue } from '../daml-value.js'

export interface PreparedTransaction {
  transaction: DamlTransaction
  metadata: Metadata
}

export interface DamlTransaction {
  /** LF serialization version: `2.1`, or `2` with contract keys. */
  version: string
  /** In execution order. */
  roots: string[]
  nodes: IdentifiedNode[]
  /** For each create and exercise. */
  nodeSeeds: NodeSeed[]
}

export interface IdentifiedNode {
  /** Decimal. */
  nodeId: string
  node: TransactionNode
}

export interface NodeSeed {
  nodeId: number
  /** 32 bytes. */
  seed: Buffer
}

export type TransactionNode = CreateNode | FetchNode | ExerciseNode | RollbackNode | QueryByKeyNode

interface ContractNode {
  lfVersion: string
  /** Lower-case hex. */
  contractId: string
  packageName: string
  templateId: DamlIdentifier
  signatories: string[]
  stakeholders: string[]
  /** LF version `2` only. */
  key: GlobalKeyWithMaintainers | undefined
}

export interface CreateNode extends ContractNode {
  kind: 'create'
  argument: DamlValue
}

export interface FetchNode extends ContractNode {
  kind: 'fetch'
  actingParties: string[]
  interfaceId: DamlIdentifier | undefined
  byKey: boolean
}

export interface ExerciseNode extends ContractNode {
  kind: 'exercise'
  actingParties: string[]
  interfaceId: DamlIdentifier | undefined
  choiceId: string
  chosenValue: DamlValue
  consuming: boolean
  /** In execution order. */
  children: string[]
  exerciseResult: DamlValue | undefined
  choiceObservers: string[]
  byKey: boolean
}

export interface RollbackNode {
  kind: 'rollback'
  children: string[]
}

export interface QueryByKeyNode {
  kind: 'queryByKey'
  lfVersion: string
  packageName: string
  templateId: DamlIdentifier
  exhaustive: boolean
  key: GlobalKeyWithMaintainers
  /** Contract ids. */
  result: string[]
}

export interface GlobalKey {
  templateId: DamlIdentifier
  packageName: string
  key: DamlValue
  /** 32 bytes. */
  hash: Buffer
}

export interface GlobalKeyWithMaintainers {
  key: GlobalKey
  maintainers: string[]
}

/** Times in microseconds since 1970-01-01T00:00:00Z. */
export interface Metadata {
  submitterInfo: SubmitterInfo
  /** Logical id up to protocol version 34, physical id (`…::35-0`) from 35 on. */
  synchronizerId: string
  mediatorGroup: number
  transactionUuid: string
  preparationTime: bigint
  inputContracts: InputContract[]
  /** Deprecated: empty and not hashed. */
  globalKeyMapping: GlobalKeyMappingEntry[]
  minLedgerEffectiveTime: bigint | undefined
  maxLedgerEffectiveTime: bigint | undefined
  maxRecordTime: bigint | undefined
}

export interface SubmitterInfo {
  actAs: string[]
  commandId: string
}

export interface GlobalKeyMappingEntry {
  key: GlobalKey
  value: DamlValue | undefined
}

/** `eventBlob` is opaque and not hashed. */
export interface InputContract {
  contract: CreateNode
  createdAt: bigint
  eventBlob: Buffer
}
