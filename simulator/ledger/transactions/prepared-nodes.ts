/** Nodes of prepared transactions (observed on 3.5.10). */
import type { DamlIdentifier, DamlValue } from '../../../interface/daml-value.js'
import type {
  DamlTransaction,
  GlobalKeyWithMaintainers,
  IdentifiedNode,
  CreateNode as PreparedCreate,
  ExerciseNode as PreparedExercise,
  FetchNode as PreparedFetch,
  QueryByKeyNode,
  TransactionNode,
} from '../../../interface/prepared-transaction/codec.js'
import { type Contract, type ContractKey, keyHash, type NamedTemplate, stakeholders } from '../contracts/contract.js'
import { lfVersion, withoutTrailingNones } from '../contracts/lf-value.js'
import {
  contractChanges,
  type ExerciseNode,
  type FetchNode,
  type HiddenNode,
  type Interpretation,
  type QueryNode,
} from './transaction.js'

export function preparedNodes({ nodes, hidden }: Interpretation): DamlTransaction {
  const ids = new PreparedIds(new Set(contractChanges(nodes).created.keys()))
  const all: HiddenNode[] = [...nodes, ...hidden].sort((a, b) => a.id - b.id)
  const { roots, listed } = listNodes(all, ids)
  return {
    version: lfVersion(all.some(hasKey)),
    roots: roots.map(String),
    nodes: listed,
    nodeSeeds: all.flatMap((node) => ('seed' in node ? [{ nodeId: node.id, seed: node.seed }] : [])),
  }
}

const hasKey = (node: HiddenNode): boolean =>
  node.kind === 'query' || ('contract' in node && node.contract.key !== undefined)

interface Open {
  node: HiddenNode
  children: number[]
}

/** Children come first. Ids are depth first, so a node closes at the first id behind its last descendant. */
function listNodes(all: readonly HiddenNode[], ids: PreparedIds): { roots: number[]; listed: IdentifiedNode[] } {
  const roots: number[] = []
  const listed: IdentifiedNode[] = []
  const open: Open[] = []
  const closeBefore = (id: number): void => {
    for (let last = open.at(-1); last && lastId(last.node) < id; last = open.at(-1)) {
      listed.push({ nodeId: String(last.node.id), node: prepare(last.node, last.children, ids) })
      open.pop()
    }
  }
  for (const node of all) {
    closeBefore(node.id)
    ;(open.at(-1)?.children ?? roots).push(node.id)
    open.push({ node, children: [] })
  }
  closeBefore(Number.POSITIVE_INFINITY)
  return { roots, listed }
}

const lastId = (node: HiddenNode): number => ('lastDescendant' in node ? node.lastDescendant : node.id)

function prepare(node: HiddenNode, children: number[], ids: PreparedIds): TransactionNode {
  switch (node.kind) {
    case 'create':
      return preparedContract(node.contract, ids)
    case 'fetch':
      return prepareFetch(node, ids)
    case 'exercise':
      return prepareExercise(node, children, ids)
    case 'query':
      return prepareQuery(node, ids)
    case 'rollback':
      return { kind: 'rollback', children: children.map(String) }
  }
}

/** Also describes input contracts. */
export const preparedContract = (contract: Contract, ids: PreparedIds): PreparedCreate => ({
  kind: 'create',
  ...contractPart(contract, contract.template, ids),
  argument: ids.value(contract.argument),
})

const prepareFetch = (node: FetchNode, ids: PreparedIds): PreparedFetch => ({
  kind: 'fetch',
  ...contractPart(node.contract, node.template, ids),
  actingParties: node.acting,
  interfaceId: node.interface,
  byKey: node.byKey,
})

const prepareExercise = (node: ExerciseNode, children: number[], ids: PreparedIds): PreparedExercise => ({
  kind: 'exercise',
  ...contractPart(node.contract, node.template, ids),
  actingParties: node.acting,
  interfaceId: node.interface,
  choiceId: node.choice,
  chosenValue: ids.value(node.argument),
  consuming: node.consuming,
  children: children.map(String),
  exerciseResult: node.result && ids.value(node.result),
  choiceObservers: node.choiceObservers,
  byKey: node.byKey,
})

const prepareQuery = (
  { template, packageName, key, exhaustive, result }: QueryNode,
  ids: PreparedIds,
): QueryByKeyNode => ({
  kind: 'queryByKey',
  lfVersion: lfVersion(true),
  packageName,
  templateId: template,
  exhaustive,
  key: preparedKey({ packageName, template }, key),
  result: result.map((id) => ids.id(id)),
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

const preparedKey = ({ packageName, template }: NamedTemplate, key: ContractKey): GlobalKeyWithMaintainers => ({
  key: { templateId: template, packageName, key: key.value, hash: keyHash({ packageName, template }, key) },
  maintainers: key.maintainers,
})

const unsuffixedLength = 66

/** Prepared transactions contain ids of new contracts without a suffix. */
export class PreparedIds {
  readonly #created: ReadonlySet<string>

  constructor(created: ReadonlySet<string>) {
    this.#created = created
  }

  id(contractId: string): string {
    return this.#created.has(contractId) ? contractId.slice(0, unsuffixedLength) : contractId
  }

  /** The value as it is serialized. */
  value(value: DamlValue): DamlValue {
    switch (value.kind) {
      case 'contractId':
        return { ...value, value: this.id(value.value) }
      case 'optional':
        return { ...value, value: value.value && this.value(value.value) }
      case 'list':
        return { ...value, items: value.items.map((item) => this.value(item)) }
      case 'textMap':
        return { ...value, entries: this.#named(value.entries) }
      case 'genMap':
        return { ...value, entries: value.entries.map(([key, item]) => [this.value(key), this.value(item)]) }
      case 'record':
        return { ...value, fields: this.#named(withoutTrailingNones(value.fields)) }
      case 'variant':
        return { ...value, value: this.value(value.value) }
      default:
        return value
    }
  }

  #named(entries: readonly [string, DamlValue][]): [string, DamlValue][] {
    return entries.map(([name, item]) => [name, this.value(item)])
  }
}
