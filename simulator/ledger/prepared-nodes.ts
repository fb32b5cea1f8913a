/** The nodes of an interpretation as prepared transactions hold them (as seen on 3.5.10). */
import type { DamlIdentifier } from '../../interface/daml-value.js'
import type {
  DamlTransaction,
  GlobalKeyWithMaintainers,
  IdentifiedNode,
  CreateNode as PreparedCreate,
  ExerciseNode as PreparedExercise,
  FetchNode as PreparedFetch,
  TransactionNode,
} from '../../interface/prepared-transaction/prepared-transaction.js'
import { type Contract, type ContractKey, stakeholders } from './contract.js'
import { keyHash } from './key-hash.js'
import { lfVersion } from './lf-value.js'
import { PreparedIds } from './prepared-ids.js'
import { type CreateNode, contractChanges, type ExerciseNode, type FetchNode, type Node } from './transaction.js'

interface Shape {
  nodes: readonly Node[]
  ids: PreparedIds
  /** The root was found by its key. */
  rootByKey: boolean
}

/** What a prepared transaction says of these nodes. `rootByKey`: the root was found by its key. */
export function preparedNodes(nodes: readonly Node[], rootByKey: boolean): DamlTransaction {
  const ids = new PreparedIds(new Set(contractChanges(nodes).created.keys()))
  const shape = { nodes, ids, rootByKey }
  const roots = siblings(0, nodes.length - 1, shape)
  return {
    version: lfVersion(nodes.some(({ contract }) => contract.key !== undefined)),
    roots: roots.map(String),
    nodes: roots.flatMap((root) => preparedSubtree(root, shape)),
    nodeSeeds: nodes.flatMap((node) => (node.kind === 'fetch' ? [] : [{ nodeId: node.id, seed: node.seed }])),
  }
}

/** The node of that id after everything below it: children come first in prepared transactions. */
function preparedSubtree(id: number, shape: Shape, parent?: ExerciseNode): IdentifiedNode[] {
  const node = nodeOf(id, shape)
  const children = node.kind === 'exercise' ? siblings(id + 1, node.lastDescendant, shape) : []
  const below = node.kind === 'exercise' ? children.flatMap((child) => preparedSubtree(child, shape, node)) : []
  return [...below, { nodeId: String(id), node: prepare(node, children, shape, parent) }]
}

function nodeOf(id: number, { nodes }: Shape): Node {
  const found = nodes[id]
  if (!found) throw new Error(`the interpretation has no node ${id}`)
  return found
}

/**
 * Ids are given depth first, so what follows a node and all below it is its next sibling. At the top there is one for each
 * command, and two for a command that creates and exercises.
 */
function siblings(first: number, last: number, shape: Shape): number[] {
  const found: number[] = []
  for (let id = first; id <= last; ) {
    found.push(id)
    const node = nodeOf(id, shape)
    id = (node.kind === 'exercise' ? node.lastDescendant : id) + 1
  }
  return found
}

function prepare(node: Node, children: number[], shape: Shape, parent: ExerciseNode | undefined): TransactionNode {
  if (node.kind === 'create') return prepareCreate(node, shape.ids)
  if (node.kind === 'fetch') return prepareFetch(node, shape.ids, parent)
  return prepareExercise(node, children, shape)
}

const prepareCreate = ({ contract }: CreateNode, ids: PreparedIds): PreparedCreate => preparedContract(contract, ids)

/** The create node of a contract, also of one that was there before. */
export const preparedContract = (contract: Contract, ids: PreparedIds): PreparedCreate => ({
  kind: 'create',
  ...contractPart(contract, contract.template, ids),
  argument: ids.value(contract.argument),
})

/** Of those whose authority the exercise above has, the ones with a stake in the contract fetch it. */
function prepareFetch(
  { contract, template }: FetchNode,
  ids: PreparedIds,
  parent: ExerciseNode | undefined,
): PreparedFetch {
  const authorizers = parent ? [...parent.contract.signatories, ...parent.acting] : []
  return {
    kind: 'fetch',
    ...contractPart(contract, template, ids),
    actingParties: stakeholders(contract).filter((party) => authorizers.includes(party)),
    interfaceId: undefined,
    byKey: false,
  }
}

const prepareExercise = (node: ExerciseNode, children: number[], { ids, rootByKey }: Shape): PreparedExercise => ({
  kind: 'exercise',
  ...contractPart(node.contract, node.template, ids),
  actingParties: node.acting,
  interfaceId: node.interface,
  choiceId: node.choice,
  chosenValue: ids.value(node.argument),
  consuming: node.consuming,
  children: children.map(String),
  exerciseResult: ids.value(node.result),
  choiceObservers: [],
  byKey: rootByKey && node.id === 0,
})

const contractPart = (contract: Contract, templateId: DamlIdentifier, ids: PreparedIds) => ({
  lfVersion: lfVersion(contract.key !== undefined),
  contractId: ids.id(contract.id),
  packageName: contract.packageName,
  templateId,
  signatories: contract.signatories,
  stakeholders: stakeholders(contract),
  key: contract.key && preparedKey(contract, contract.key),
})

const preparedKey = ({ packageName, template }: Contract, key: ContractKey): GlobalKeyWithMaintainers => ({
  key: { templateId: template, packageName, key: key.value, hash: keyHash({ packageName, template }, key) },
  maintainers: key.maintainers,
})
