/** The order in which a participant hashes: it reads sets and sorted maps. */
import type { DamlValue } from '../daml-value.js'
import type {
  CreateNode,
  GlobalKeyWithMaintainers,
  InputContract,
  PreparedTransaction,
  TransactionNode,
} from './codec.js'

/**
 * Sorts parties, input contracts and text maps. Keeps the order of nodes, roots, children and generic maps. Of equal ids
 * of nodes or input contracts, the last remains.
 */
export const normalisePreparedTransaction = ({ transaction, metadata }: PreparedTransaction): PreparedTransaction => ({
  transaction: {
    ...transaction,
    nodes: lastById(transaction.nodes).map(({ nodeId, node }) => ({ nodeId, node: normaliseNode(node) })),
  },
  metadata: {
    ...metadata,
    submitterInfo: { ...metadata.submitterInfo, actAs: parties(metadata.submitterInfo.actAs) },
    inputContracts: inputContracts(metadata.inputContracts),
  },
})

const lastById = <Identified extends { nodeId: string }>(nodes: readonly Identified[]): Identified[] => [
  ...new Map(nodes.map((node) => [node.nodeId, node])).values(),
]

function normaliseNode(node: TransactionNode): TransactionNode {
  switch (node.kind) {
    case 'create':
      return normaliseCreate(node)
    case 'fetch':
      return { ...node, ...contractParties(node), actingParties: parties(node.actingParties), key: key(node.key) }
    case 'exercise':
      return {
        ...node,
        ...contractParties(node),
        actingParties: parties(node.actingParties),
        chosenValue: normaliseValue(node.chosenValue),
        exerciseResult: node.exerciseResult && normaliseValue(node.exerciseResult),
        choiceObservers: parties(node.choiceObservers),
        key: key(node.key),
      }
    case 'rollback':
      return node
    case 'queryByKey':
      return { ...node, key: normaliseKey(node.key) }
  }
}

export const normaliseCreate = (node: CreateNode): CreateNode => ({
  ...node,
  ...contractParties(node),
  argument: normaliseValue(node.argument),
  key: key(node.key),
})

const contractParties = (node: { signatories: string[]; stakeholders: string[] }) => ({
  signatories: parties(node.signatories),
  stakeholders: parties(node.stakeholders),
})

const key = (found: GlobalKeyWithMaintainers | undefined) => found && normaliseKey(found)

const normaliseKey = ({ key, maintainers }: GlobalKeyWithMaintainers): GlobalKeyWithMaintainers => ({
  key: { ...key, key: normaliseValue(key.key) },
  maintainers: parties(maintainers),
})

function inputContracts(found: readonly InputContract[]): InputContract[] {
  const byId = new Map(found.map((input) => [input.contract.contractId, input]))
  return inOrder([...byId.values()], ({ contract }) => contract.contractId).map((input) => ({
    ...input,
    contract: normaliseCreate(input.contract),
  }))
}

function normaliseValue(value: DamlValue): DamlValue {
  switch (value.kind) {
    case 'optional':
      return { ...value, value: value.value && normaliseValue(value.value) }
    case 'list':
      return { ...value, items: value.items.map(normaliseValue) }
    case 'textMap':
      return { ...value, entries: inOrder(normaliseItems(value.entries), ([key]) => key) }
    case 'genMap':
      return { ...value, entries: value.entries.map(([name, item]) => [normaliseValue(name), normaliseValue(item)]) }
    case 'record':
      return { ...value, fields: normaliseItems(value.fields) }
    case 'variant':
      return { ...value, value: normaliseValue(value.value) }
    default:
      return value
  }
}

const normaliseItems = (entries: readonly [string, DamlValue][]): [string, DamlValue][] =>
  entries.map(([name, item]) => [name, normaliseValue(item)])

const parties = (found: readonly string[]): string[] => inOrder([...new Set(found)], (party) => party)

/** Sorts by UTF-8, with one encoding per item: hostile bytes contain a million. */
function inOrder<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const encoded = items.map((item) => ({ item, text: Buffer.from(textOf(item)) }))
  return encoded.sort((a, b) => Buffer.compare(a.text, b.text)).map(({ item }) => item)
}
