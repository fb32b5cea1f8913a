/** What keeps the parts of a prepared transaction from being read, though the bytes are protobuf. */
import { grammars, violation } from '../../interface/grammars.js'
import { isInstant, printInstant } from '../../interface/instant.js'
import { create } from '../../interface/prepared-transaction/node-codec.js'
import { normaliseCreate } from '../../interface/prepared-transaction/normalise.js'
import type {
  CreateNode,
  DamlTransaction,
  Metadata,
  PreparedTransaction,
} from '../../interface/prepared-transaction/prepared-transaction.js'
import { ProtobufError } from '../../interface/protobuf.js'
import { decodeBlob, keyHashIn, UnknownTemplate } from './created-event-blob.js'
import type { PackageStore } from './package-store.js'
import { PreparedIds } from './prepared-ids.js'
import { preparedContract } from './prepared-nodes.js'

const versions = ['2', '2.1', 'dev']
const uuid = /^[0-9a-f]{1,8}-[0-9a-f]{1,4}-[0-9a-f]{1,4}-[0-9a-f]{1,4}-[0-9a-f]{1,12}$/i

/** The problems, each with the part that it concerns; the wording follows the reference participant 3.5.10. */
export function* preparedProblems({ transaction, metadata }: PreparedTransaction, packages: PackageStore) {
  yield* metadataProblems(metadata)
  yield* timeProblems(metadata)
  yield* transactionProblems(transaction)
  yield* inputContractProblems(metadata, packages)
}

function* metadataProblems({ transactionUuid, submitterInfo }: Metadata): Generator<string> {
  if (!uuid.test(transactionUuid)) {
    yield `Failed to deserialize transaction UUID: Invalid UUID string: ${transactionUuid.slice(0, 100)}`
  }
  for (const party of submitterInfo.actAs) {
    const problem = violation(grammars.uniqueParty, party)
    if (problem) yield `Failed to deserialize submitter info: ${problem}`
  }
  const problem = violation(grammars.ledgerString, submitterInfo.commandId)
  if (problem) yield `Failed to deserialize submitter info: ${problem}`
}

function* timeProblems(metadata: Metadata): Generator<string> {
  const { preparationTime, minLedgerEffectiveTime: min, maxLedgerEffectiveTime: max, maxRecordTime } = metadata
  for (const time of [preparationTime, min, max, maxRecordTime]) {
    if (time !== undefined && !isInstant(time)) yield `Failed to deserialize metadata: ${time} is out of range`
  }
  if (min !== undefined && max !== undefined && min > max) {
    yield `Failed to deserialize metadata: the ledger time is to be from ${printInstant(min)} to ${printInstant(max)}`
  }
}

function* transactionProblems({ version, nodes, nodeSeeds }: DamlTransaction): Generator<string> {
  const shownVersion = version.slice(0, 100)
  if (!versions.includes(version)) {
    yield `Failed to deserialize transaction: Unsupported serialization version '${shownVersion}' at path version`
  }
  for (const { nodeId, node } of nodes) {
    if (!/^\d{1,10}$/.test(nodeId))
      yield `Failed to deserialize transaction: node id ${nodeId.slice(0, 100)} is no number`
    if (!('contractId' in node)) continue
    const problem = violation(grammars.contractId, node.contractId)
    if (problem) yield `Failed to deserialize transaction: ${problem}`
  }
  const invalid = nodeSeeds.find(({ seed }) => seed.length !== 32)
  if (invalid) {
    yield `Failed to deserialize transaction meta: hash should have 32 bytes, got ${invalid.seed.length} at path optNodeSeeds`
  }
}

function* inputContractProblems({ inputContracts }: Metadata, packages: PackageStore): Generator<string> {
  for (const { contract, createdAt, eventBlob } of inputContracts) {
    try {
      const held = decodeBlob(eventBlob, packages)
      if (held.createdAt !== createdAt) {
        yield `Input contract ${contract.contractId} was created at ${held.createdAt}, not at ${createdAt}`
      }
      // The signer has seen the description; the blob, which nobody signs, is what the participant believes.
      const own = preparedContract(held, new PreparedIds(new Set()))
      if (!print(contract).equals(print(withKeyHash(own, keyHashIn(eventBlob))))) {
        yield `Input contract ${contract.contractId} is not what it is described as`
      }
    } catch (error) {
      if (!(error instanceof ProtobufError)) throw error
      // What the participant has no package for is found out when the transaction is interpreted.
      if (error instanceof UnknownTemplate) continue
      yield `Failed to deserialize input contracts: ${error.message}`
    }
  }
}

/** A contract that another participant described has its key hashed by that one. */
const withKeyHash = ({ key, ...contract }: CreateNode, hash: Buffer | undefined): CreateNode => ({
  ...contract,
  key: key && { ...key, key: { ...key.key, hash: hash ?? key.key.hash } },
})

const print = (contract: CreateNode): Buffer => create.toWire(normaliseCreate(contract))
