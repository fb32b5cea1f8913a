import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import {
  always,
  bool,
  bytes,
  int32,
  message,
  one,
  oneOf,
  optional,
  repeated,
  string,
  uint32,
  uint64,
} from '../../lib/protobuf/protobuf-message.js'
import type {
  CreateNode,
  DamlTransaction,
  ExerciseNode,
  FetchNode,
  GlobalKey,
  GlobalKeyMappingEntry,
  GlobalKeyWithMaintainers,
  IdentifiedNode,
  InputContract,
  Metadata,
  NodeSeed,
  PreparedTransaction,
  QueryByKeyNode,
  RollbackNode,
  SubmitterInfo,
  TransactionNode,
} from './prepared-transaction.js'
import { identifier, value } from './value-codec.js'

const globalKey = message<GlobalKey>({
  templateId: one(1, identifier),
  packageName: one(2, string),
  key: one(3, value),
  hash: one(4, bytes),
})

const keyWithMaintainers = message<GlobalKeyWithMaintainers>({
  key: one(1, globalKey),
  maintainers: repeated(2, string),
})

export const create = message<CreateNode>({
  kind: always('create'),
  lfVersion: one(1, string),
  contractId: one(2, string),
  packageName: one(3, string),
  templateId: one(4, identifier),
  argument: one(5, value),
  signatories: repeated(6, string),
  stakeholders: repeated(7, string),
  key: optional(8, keyWithMaintainers),
})

const contractUse = {
  lfVersion: one(1, string),
  contractId: one(2, string),
  packageName: one(3, string),
  templateId: one(4, identifier),
  signatories: repeated(5, string),
  stakeholders: repeated(6, string),
  actingParties: repeated(7, string),
  interfaceId: optional(8, identifier),
}

const fetch = message<FetchNode>({
  kind: always('fetch'),
  ...contractUse,
  key: optional(9, keyWithMaintainers),
  byKey: one(10, bool),
})

const exercise = message<ExerciseNode>({
  kind: always('exercise'),
  ...contractUse,
  choiceId: one(9, string),
  chosenValue: one(10, value),
  consuming: one(11, bool),
  children: repeated(12, string),
  exerciseResult: optional(13, value),
  choiceObservers: repeated(14, string),
  key: optional(15, keyWithMaintainers),
  byKey: one(16, bool),
})

const rollback = message<RollbackNode>({ kind: always('rollback'), children: repeated(1, string) })

const queryByKey = message<QueryByKeyNode>({
  kind: always('queryByKey'),
  lfVersion: one(1, string),
  packageName: one(2, string),
  templateId: one(3, identifier),
  exhaustive: one(4, bool),
  key: one(5, keyWithMaintainers),
  result: repeated(6, string),
})

const node = oneOf<TransactionNode>('transaction node', {
  create: { number: 1, kind: create },
  fetch: { number: 2, kind: fetch },
  exercise: { number: 3, kind: exercise },
  rollback: { number: 4, kind: rollback },
  queryByKey: { number: 5, kind: queryByKey },
})

const identifiedNode = message<IdentifiedNode>({ nodeId: one(1, string), node: one(1000, node) })

const nodeSeed = message<NodeSeed>({ nodeId: one(1, int32), seed: one(2, bytes) })

const transaction = message<DamlTransaction>({
  version: one(1, string),
  roots: repeated(2, string),
  nodes: repeated(3, identifiedNode),
  nodeSeeds: repeated(4, nodeSeed),
})

const submitterInfo = message<SubmitterInfo>({ actAs: repeated(1, string), commandId: one(2, string) })

const inputContract = message<InputContract>({
  contract: one(1, create),
  createdAt: one(1000, uint64),
  eventBlob: one(1002, bytes),
})

const globalKeyMappingEntry = message<GlobalKeyMappingEntry>({ key: one(1, globalKey), value: optional(2, value) })

const metadata = message<Metadata>({
  submitterInfo: one(2, submitterInfo),
  synchronizerId: one(3, string),
  mediatorGroup: one(4, uint32),
  transactionUuid: one(5, string),
  preparationTime: one(6, uint64),
  inputContracts: repeated(7, inputContract),
  globalKeyMapping: repeated(8, globalKeyMappingEntry),
  minLedgerEffectiveTime: optional(9, uint64),
  maxLedgerEffectiveTime: optional(10, uint64),
  maxRecordTime: optional(11, uint64),
})

const preparedTransaction = message<PreparedTransaction>({
  transaction: one(1, transaction),
  metadata: one(2, metadata),
})

/**
 * Absent parts are empty; unknown fields are dropped, so forward the original bytes. Throws `ProtobufError`, and
 * `MissingPartError` for a node or value without content.
 */
export const decodePreparedTransaction = (content: Buffer): PreparedTransaction =>
  preparedTransaction.fromWire(content, 0)

/** From base64; undefined for invalid bytes. */
export function readPreparedTransaction(prepared: string): PreparedTransaction | undefined {
  try {
    return decodePreparedTransaction(Buffer.from(prepared, 'base64'))
  } catch (error) {
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}

/** Fields by number, as Canton 3.5.10. */
export const encodePreparedTransaction = (prepared: PreparedTransaction): Buffer => preparedTransaction.toWire(prepared)
