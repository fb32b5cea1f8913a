/** Names of the protobuf messages. Decoding does not validate strings. */
import { ProtobufError, readMessage, type WireField } from '../../lib/protobuf/protobuf.js'
import {
  always,
  bool,
  bytes,
  int32,
  type Message,
  message,
  one,
  oneOf,
  optional,
  repeated,
  string,
  uint32,
  uint64,
} from '../../lib/protobuf/protobuf-message.js'
import { identifier, value } from './value-codec.js'

const globalKey = message({
  templateId: one(1, identifier),
  packageName: one(2, string),
  key: one(3, value),
  /** 32 bytes. */
  hash: one(4, bytes),
})

const keyWithMaintainers = message({
  key: one(1, globalKey),
  maintainers: repeated(2, string),
})
export type GlobalKeyWithMaintainers = Message<typeof keyWithMaintainers>

export const create = message({
  kind: always('create'),
  lfVersion: one(1, string),
  /** Lower-case hex. */
  contractId: one(2, string),
  packageName: one(3, string),
  templateId: one(4, identifier),
  argument: one(5, value),
  signatories: repeated(6, string),
  stakeholders: repeated(7, string),
  /** LF version `2` only. */
  key: optional(8, keyWithMaintainers),
})
export type CreateNode = Message<typeof create>

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

const fetch = message({
  kind: always('fetch'),
  ...contractUse,
  key: optional(9, keyWithMaintainers),
  byKey: one(10, bool),
})
export type FetchNode = Message<typeof fetch>

const exercise = message({
  kind: always('exercise'),
  ...contractUse,
  choiceId: one(9, string),
  chosenValue: one(10, value),
  consuming: one(11, bool),
  /** In execution order. */
  children: repeated(12, string),
  exerciseResult: optional(13, value),
  choiceObservers: repeated(14, string),
  key: optional(15, keyWithMaintainers),
  byKey: one(16, bool),
})
export type ExerciseNode = Message<typeof exercise>

const rollback = message({ kind: always('rollback'), children: repeated(1, string) })
export type RollbackNode = Message<typeof rollback>

const queryByKey = message({
  kind: always('queryByKey'),
  lfVersion: one(1, string),
  packageName: one(2, string),
  templateId: one(3, identifier),
  exhaustive: one(4, bool),
  key: one(5, keyWithMaintainers),
  /** Contract ids. */
  result: repeated(6, string),
})
export type QueryByKeyNode = Message<typeof queryByKey>

export type TransactionNode = CreateNode | FetchNode | ExerciseNode | RollbackNode | QueryByKeyNode

const node = oneOf<TransactionNode>('transaction node', {
  create: { number: 1, kind: create },
  fetch: { number: 2, kind: fetch },
  exercise: { number: 3, kind: exercise },
  rollback: { number: 4, kind: rollback },
  queryByKey: { number: 5, kind: queryByKey },
})

/** `nodeId`: decimal. */
const identifiedNode = message({ nodeId: one(1, string), node: one(1000, node) })
export type IdentifiedNode = Message<typeof identifiedNode>

/** `seed`: 32 bytes. */
const nodeSeed = message({ nodeId: one(1, int32), seed: one(2, bytes) })

const transaction = message({
  /** LF serialization version: `2.1`, or `2` with contract keys. */
  version: one(1, string),
  /** In execution order. */
  roots: repeated(2, string),
  nodes: repeated(3, identifiedNode),
  /** For each create and exercise. */
  nodeSeeds: repeated(4, nodeSeed),
})
export type DamlTransaction = Message<typeof transaction>

const submitterInfo = message({ actAs: repeated(1, string), commandId: one(2, string) })

/** `eventBlob` is opaque and not hashed. */
const inputContract = message({
  contract: one(1, create),
  createdAt: one(1000, uint64),
  eventBlob: one(1002, bytes),
})
export type InputContract = Message<typeof inputContract>

const globalKeyMappingEntry = message({ key: one(1, globalKey), value: optional(2, value) })

/** Times in microseconds since 1970-01-01T00:00:00Z. */
const metadata = message({
  submitterInfo: one(2, submitterInfo),
  /** Logical id up to protocol version 34, physical id (`…::35-0`) from 35 on. */
  synchronizerId: one(3, string),
  mediatorGroup: one(4, uint32),
  transactionUuid: one(5, string),
  preparationTime: one(6, uint64),
  inputContracts: repeated(7, inputContract),
  /** Deprecated: empty and not hashed. */
  globalKeyMapping: repeated(8, globalKeyMappingEntry),
  minLedgerEffectiveTime: optional(9, uint64),
  maxLedgerEffectiveTime: optional(10, uint64),
  maxRecordTime: optional(11, uint64),
})
export type Metadata = Message<typeof metadata>

const preparedTransaction = message({
  transaction: one(1, transaction),
  metadata: one(2, metadata),
})
export type PreparedTransaction = Message<typeof preparedTransaction>

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

/** The parts of a prepared transaction, without decoding nodes. */
export interface Outline {
  hasTransaction: boolean
  hasMetadata: boolean
  hasSubmitterInfo: boolean
  /** In the order of the bytes. */
  actAs: string[]
  /** Empty if absent. */
  synchronizerId: string
}

/** Throws `ProtobufError`. */
export function outlineOf(bytes: Buffer): Outline {
  const whole = readMessage(bytes)
  const metadata = readMessage(merged(whole, 2))
  const submitterInfo = readMessage(merged(metadata, 2))
  return {
    hasTransaction: has(whole, 1),
    hasMetadata: has(whole, 2),
    hasSubmitterInfo: has(metadata, 2),
    actAs: contents(submitterInfo, 1).map((party) => party.toString('utf8')),
    synchronizerId: contents(metadata, 3).at(-1)?.toString('utf8') ?? '',
  }
}

const has = (fields: readonly WireField[], number: number): boolean => contents(fields, number).length > 0

/** Repeated messages merge. */
const merged = (fields: readonly WireField[], number: number): Buffer => Buffer.concat(contents(fields, number))

function contents(fields: readonly WireField[], number: number): Buffer[] {
  const found: Buffer[] = []
  for (const field of fields) {
    if (field.number !== number) continue
    if (field.wire !== 'bytes') throw new ProtobufError(`field ${number} is not a message`, 0)
    found.push(field.value)
  }
  return found
}
