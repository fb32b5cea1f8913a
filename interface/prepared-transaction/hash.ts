import { ProtobufError } from '../../lib/protobuf/protobuf.js'
import { hashPurpose, int32, purposeDigest, sha256 } from '../crypto-hash.js'
import {
  type DamlTransaction,
  decodePreparedTransaction,
  type InputContract,
  type Metadata,
  type PreparedTransaction,
  type TransactionNode,
} from './codec.js'
import {
  byte,
  type HashingScheme,
  hash32,
  hashingSchemes,
  int64,
  MissingNode,
  optional,
  repeated,
  shown,
  TransactionHashError,
  text,
  texts,
} from './hash-encoding.js'
import { encodeCreate, encodeNode, type NodePlace } from './node-hash.js'
import { normalisePreparedTransaction } from './normalise.js'

/**
 * The 32 bytes to sign, as observed on Canton 3.5.10: `preparedTransactionHash` in base64, `externalTransactionHash` in
 * hex. Hashes parts in the given order. Participants return sorted parts; sort other input with
 * `normalisePreparedTransaction` first. Throws `TransactionHashError`.
 */
export const hashPreparedTransaction = (
  { transaction, metadata }: PreparedTransaction,
  scheme: HashingScheme,
): Buffer =>
  purposeDigest(
    hashPurpose.preparedTransaction,
    byte(hashingSchemes[scheme].number),
    hashTransaction(transaction, scheme),
    hashMetadata(metadata, scheme),
  )

/**
 * Both in base64; undefined for an invalid transaction.
 * @example preparedHash(preparedTransaction, 'V2') // 32 bytes in base64
 */
export function preparedHash(prepared: string, scheme: HashingScheme): string | undefined {
  try {
    const decoded = normalisePreparedTransaction(decodePreparedTransaction(Buffer.from(prepared, 'base64')))
    return hashPreparedTransaction(decoded, scheme).toString('base64')
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof TransactionHashError) return undefined
    throw error
  }
}

/** Throws `TransactionHashError`. */
function hashTransaction(transaction: DamlTransaction, scheme: HashingScheme): Buffer {
  const hashes = hashNodes(transaction, scheme)
  return purposeDigest(
    hashPurpose.preparedTransaction,
    text(transaction.version),
    repeated(transaction.roots, (nodeId) => hashOf(hashes, nodeId)),
  )
}

/**
 * By node id. Hashes each reachable node once, without recursion: hostile trees can be deep or shared. Throws
 * `TransactionHashError`.
 */
function hashNodes(transaction: DamlTransaction, scheme: HashingScheme): Map<string, Buffer> {
  const rules = hashingSchemes[scheme]
  const nodes = new Map(transaction.nodes.map(({ nodeId, node }) => [nodeId, node]))
  const placeOf = placesIn(transaction)
  const hashes = new Map<string, Buffer>()
  const entered = new Set<string>()
  const waiting = transaction.roots.toReversed()

  for (let nodeId = waiting.pop(); nodeId !== undefined; nodeId = waiting.pop()) {
    if (hashes.has(nodeId)) continue
    const node = nodes.get(nodeId)
    if (!node) throw missingNode(nodeId)
    const unhashed = childrenOf(node).filter((child) => !hashes.has(child))
    if (unhashed.length === 0) {
      hashes.set(nodeId, sha256(encodeNode(node, rules, placeOf(nodeId, hashes))))
      continue
    }
    // The descendants of an entered node are hashed before the node is popped again, unless it is its own descendant.
    if (entered.has(nodeId)) throw circular(nodeId)
    entered.add(nodeId)
    waiting.push(nodeId)
    for (const child of unhashed) waiting.push(child)
  }
  return hashes
}

function placesIn({ nodeSeeds }: DamlTransaction) {
  const seeds = new Map(nodeSeeds.map(({ nodeId, seed }) => [String(nodeId), seed]))
  return (nodeId: string, hashes: Map<string, Buffer>): NodePlace => ({
    name: () => `node ${shown(nodeId)}`,
    seed: () => {
      const seed = seeds.get(nodeId)
      if (seed) return hash32(seed, () => `the seed of node ${shown(nodeId)}`)
      throw new TransactionHashError(`node ${shown(nodeId)} has no seed; every create and exercise needs one`)
    },
    childHash: (child) => hashOf(hashes, child),
  })
}

const childrenOf = (node: TransactionNode): readonly string[] => ('children' in node ? node.children : [])

function hashOf(hashes: Map<string, Buffer>, nodeId: string): Buffer {
  const found = hashes.get(nodeId)
  if (!found) throw missingNode(nodeId)
  return found
}

const missingNode = (nodeId: string) =>
  new MissingNode(`node ${shown(nodeId)} is a root or a child, but is not among the nodes`)

const circular = (nodeId: string) =>
  new TransactionHashError(`node ${shown(nodeId)} is its own descendant; nodes must form trees`)

/** Throws `TransactionHashError`. */
function hashMetadata(metadata: Metadata, scheme: HashingScheme): Buffer {
  const { encodingVersion, coversMaxRecordTime } = hashingSchemes[scheme]
  return purposeDigest(
    hashPurpose.preparedTransaction,
    encodingVersion,
    texts(metadata.submitterInfo.actAs),
    text(metadata.submitterInfo.commandId),
    text(metadata.transactionUuid),
    int32(metadata.mediatorGroup | 0), // unsigned: the upper half is hashed as negative numbers
    text(metadata.synchronizerId),
    optional(metadata.minLedgerEffectiveTime, int64),
    optional(metadata.maxLedgerEffectiveTime, int64),
    int64(metadata.preparationTime),
    repeated(metadata.inputContracts, (input) =>
      Buffer.concat([int64(input.createdAt), hashInputContract(input, scheme)]),
    ),
    ...(coversMaxRecordTime ? [optional(metadata.maxRecordTime, int64)] : []),
  )
}

/** Without the creation time. */
const hashInputContract = ({ contract }: InputContract, scheme: HashingScheme): Buffer =>
  sha256(encodeCreate(contract, hashingSchemes[scheme], { name: () => `input contract ${shown(contract.contractId)}` }))
