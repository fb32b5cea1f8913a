import type {
  CreateNode,
  ExerciseNode,
  FetchNode,
  GlobalKeyWithMaintainers,
  QueryByKeyNode,
  RollbackNode,
  TransactionNode,
} from './codec.js'
import {
  bool,
  byte,
  contractId,
  encodeValue,
  hash32,
  identifier,
  optional,
  repeated,
  type SchemeRules,
  shown,
  TransactionHashError,
  text,
  texts,
} from './hash-encoding.js'

interface NamedNode {
  /** For errors. Only then, because it searches for secrets. */
  name: () => string
}

export interface NodePlace extends NamedNode {
  /** Throws if absent. */
  seed(): Buffer
  childHash(nodeId: string): Buffer
}

const tags = { create: 0, exercise: 1, fetch: 2, rollback: 3, queryByKey: 4 }

/** Children by their hashes. Throws `TransactionHashError`. */
export function encodeNode(node: TransactionNode, rules: SchemeRules, place: NodePlace): Buffer {
  switch (node.kind) {
    case 'create':
      return encodeCreate(node, rules, place)
    case 'exercise':
      return encodeExercise(node, rules, place)
    case 'fetch':
      return encodeFetch(node, rules, place.name)
    case 'rollback':
      return encodeRollback(node, rules, place)
    case 'queryByKey':
      return encodeQueryByKey(node, rules, place.name)
  }
}

/** Without seed for an input contract. */
export function encodeCreate(
  node: CreateNode,
  rules: SchemeRules,
  { name, seed }: NamedNode & Partial<NodePlace>,
): Buffer {
  return Buffer.concat([
    head(node, rules, name),
    optional(seed, (read) => read()),
    contractId(node.contractId),
    text(node.packageName),
    identifier(node.templateId),
    encodeValue(node.argument),
    texts(node.signatories),
    texts(node.stakeholders),
    ...ifKeys(rules, () => [optional(node.key, encodeKey)]),
  ])
}

function encodeExercise(node: ExerciseNode, rules: SchemeRules, { name, seed, childHash }: NodePlace): Buffer {
  return Buffer.concat([
    head(node, rules, name),
    seed(),
    contractId(node.contractId),
    text(node.packageName),
    identifier(node.templateId),
    texts(node.signatories),
    texts(node.stakeholders),
    texts(node.actingParties),
    optional(node.interfaceId, identifier),
    text(node.choiceId),
    encodeValue(node.chosenValue),
    bool(node.consuming),
    optional(node.exerciseResult, encodeValue),
    texts(node.choiceObservers),
    ...ifKeys(rules, () => [bool(node.byKey), optional(node.key, encodeKey)]),
    repeated(node.children, childHash),
  ])
}

/** Unlike in an exercise, the acting parties follow the interface. */
function encodeFetch(node: FetchNode, rules: SchemeRules, name: NodePlace['name']): Buffer {
  return Buffer.concat([
    head(node, rules, name),
    contractId(node.contractId),
    text(node.packageName),
    identifier(node.templateId),
    texts(node.signatories),
    texts(node.stakeholders),
    optional(node.interfaceId, identifier),
    texts(node.actingParties),
    ...ifKeys(rules, () => [bool(node.byKey), optional(node.key, encodeKey)]),
  ])
}

const encodeRollback = (node: RollbackNode, rules: SchemeRules, { childHash }: NodePlace): Buffer =>
  Buffer.concat([rules.encodingVersion, byte(tags.rollback), repeated(node.children, childHash)])

function encodeQueryByKey(node: QueryByKeyNode, rules: SchemeRules, name: NodePlace['name']): Buffer {
  if (!rules.coversKeys) throw newerSchemeNeeded(name, node.lfVersion, rules)
  return Buffer.concat([
    head(node, rules, name),
    text(node.packageName),
    identifier(node.templateId),
    bool(node.exhaustive),
    encodeKey(node.key),
    repeated(node.result, contractId),
  ])
}

function head(node: Exclude<TransactionNode, RollbackNode>, rules: SchemeRules, name: NodePlace['name']): Buffer {
  const { kind, lfVersion } = node
  if (!rules.lfVersions.includes(lfVersion)) throw newerSchemeNeeded(name, lfVersion, rules)
  if (kind !== 'queryByKey' && lfVersion === '2.1' && (node.key || (kind !== 'create' && node.byKey))) {
    throw new TransactionHashError(
      `${name()} has a contract key and LF version 2.1, which knows no keys; nodes with keys have LF version 2`,
    )
  }
  return Buffer.concat([rules.encodingVersion, text(lfVersion), byte(tags[kind])])
}

/** Names of serialization versions in messages of the reference. */
const serializationNames: ReadonlyMap<string, string> = new Map([
  ['2.1', 'V1'],
  ['2', 'V2'],
  ['dev', 'VDev'],
])

/** In the words of the reference, which public reports quote and users search for, with the place of the node. */
function newerSchemeNeeded(name: NodePlace['name'], lfVersion: string, { name: scheme, newer }: SchemeRules) {
  const version = serializationNames.get(lfVersion) ?? shown(lfVersion)
  return new TransactionHashError(
    `Cannot hash node with LF serialization version ${version} using hashing scheme ${scheme}. Please use hashing scheme ${newer} or higher. (${name()})`,
  )
}

const ifKeys = (rules: SchemeRules, parts: () => Buffer[]): Buffer[] => (rules.coversKeys ? parts() : [])

const encodeKey = ({ key, maintainers }: GlobalKeyWithMaintainers): Buffer =>
  Buffer.concat([
    text(key.packageName),
    identifier(key.templateId),
    encodeValue(key.key),
    hash32(key.hash, () => 'the hash of a contract key'),
    texts(maintainers),
  ])
