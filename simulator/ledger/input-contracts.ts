/** The contracts that come with a prepared transaction: a description, which is signed, and a blob, which nobody signs. */
import { create } from '../../interface/prepared-transaction/node-codec.js'
import { normaliseCreate } from '../../interface/prepared-transaction/normalise.js'
import type {
  CreateNode,
  InputContract,
  PreparedTransaction,
} from '../../interface/prepared-transaction/prepared-transaction.js'
import { ProtobufError } from '../../interface/protobuf.js'
import type { Contract } from './contract.js'
import { isAuthentic } from './contract-id.js'
import { decodeBlob, keyHashIn } from './created-event-blob.js'
import type { PackageStore } from './package-store.js'
import { PreparedIds } from './prepared-ids.js'
import { preparedContract } from './prepared-nodes.js'

/** The contracts in the blobs; undefined when one of them is none, not what its id says, or not what it is described as. */
export function inputContracts({ metadata }: PreparedTransaction, packages: PackageStore): Contract[] | undefined {
  try {
    const contracts = metadata.inputContracts.map((input) => ({ input, held: decodeBlob(input.eventBlob, packages) }))
    const isTrue = contracts.every(({ input, held }) => isAuthentic(held) && isDescribed(held, input))
    return isTrue ? contracts.map(({ held }) => held) : undefined
  } catch (error) {
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}

/** The signer has seen the description; the blob is what the participant believes. */
function isDescribed(held: Contract, { contract, createdAt, eventBlob }: InputContract): boolean {
  const own = withKeyHash(preparedContract(held, new PreparedIds(new Set())), keyHashIn(eventBlob))
  return held.createdAt === createdAt && print(contract).equals(print(own))
}

/** A contract that another participant described has its key hashed by that one. */
const withKeyHash = ({ key, ...contract }: CreateNode, hash: Buffer | undefined): CreateNode => ({
  ...contract,
  key: key && { ...key, key: { ...key.key, hash: hash ?? key.key.hash } },
})

const print = (contract: CreateNode): Buffer => create.toWire(normaliseCreate(contract))
