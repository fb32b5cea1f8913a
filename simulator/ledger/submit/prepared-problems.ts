/** Invalid content in well-formed protobuf bytes. */
import { grammars, violation } from '../../../interface/grammars.js'
import type { DamlTransaction, Metadata, PreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { isInstant, printInstant } from '../../../lib/json/instant.js'
import { ProtobufError } from '../../../lib/protobuf/protobuf.js'
import { decodeBlob, UnknownTemplate } from '../contracts/created-event-blob.js'
import type { PackageStore } from '../packages/package-store.js'

const versions = ['2', '2.1', 'dev']
const integer = /^\d{1,10}$/
const uuid = /^[0-9a-f]{1,8}-[0-9a-f]{1,4}-[0-9a-f]{1,4}-[0-9a-f]{1,4}-[0-9a-f]{1,12}$/i

/** The wording follows the reference participant 3.5.10. */
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

function* transactionProblems({ version, roots, nodes, nodeSeeds }: DamlTransaction): Generator<string> {
  const shownVersion = version.slice(0, 100)
  if (!versions.includes(version)) {
    yield `Failed to deserialize transaction: Unsupported serialization version '${shownVersion}' at path version`
  }
  for (const root of roots) {
    if (!integer.test(root)) yield `Failed to deserialize transaction: root ${root.slice(0, 100)} is no number`
  }
  for (const { nodeId, node } of nodes) {
    if (!integer.test(nodeId)) yield `Failed to deserialize transaction: node id ${nodeId.slice(0, 100)} is no number`
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
  for (const { eventBlob } of inputContracts) {
    try {
      decodeBlob(eventBlob, packages)
    } catch (error) {
      if (!(error instanceof ProtobufError)) throw error
      // The interpretation reports missing packages.
      if (error instanceof UnknownTemplate) continue
      yield `Failed to deserialize input contracts: ${error.message}`
    }
  }
}
