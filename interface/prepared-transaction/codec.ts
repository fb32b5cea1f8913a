import { bytes, int32, string, uint32, uint64 } from '../../lib/protobuf/protobuf-kinds.js'
import { message, one, optional, repeated } from '../../lib/protobuf/protobuf-message.js'
import { create, globalKey, node } from './node-codec.js'
import type {
  DamlTransaction,
  GlobalKeyMappingEntry,
  IdentifiedNode,
  InputContract,
  Metadata,
  NodeSeed,
  PreparedTransaction,
  SubmitterInfo,
} from './prepared-transaction.js'
import { value } from './value-codec.js'

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

/** Fields by number, as Canton 3.5.10. */
export const encodePreparedTransaction = (prepared: PreparedTransaction): Buffer => preparedTransaction.toWire(prepared)
