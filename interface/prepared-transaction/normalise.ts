/**
 * The order a participant gives to what has none: it reads the bytes into sets and sorted maps, and hashes those. Text is
 * ordered by its UTF-8 bytes.
 */
import type { DamlValue } from '../daml-value.js'
import type {
  CreateNode,
  GlobalKeyWithMaintainers,
  InputContract,
  PreparedTransaction,
  TransactionNode,
} from './prepared-transaction.js'

/**
 * The same prepared transaction with every list of parties sorted and without duplicates, input contracts sorted by contract
 * id (the last of equal ids stays), and text maps sorted by key. Nodes, roots, children and generic maps keep their order.
 */
export const normalisePreparedTransaction = ({ transaction, metadata }: PreparedTransaction): PreparedTransaction => ({
  transaction: {
    ...transaction,
    nodes: transaction.nodes.map(({ nodeId, node }) => ({ nodeId, node: normaliseNode(node) })),
  },
  metadata: {
    ...metadata,
    submitterInfo: { ...metadata.submitterInfo, actAs: parties(metadata.submitterInfo.actAs) },
    inputContracts: inputContracts(metadata.inputContracts),
  },
})

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

/** A contract, with its parties and maps in order. */
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

/** Sorted by a text of each item. Hostile bytes hold a million items, so that each text is encoded once only. */
function inOrder<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const encoded = items.map((item) => ({ item, text: Buffer.from(textOf(item)) }))
  return encoded.sort((a, b) => Buffer.compare(a.text, b.text)).map(({ item }) => item)
}
