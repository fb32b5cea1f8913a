/** Hashes of prepared transactions cover every part. */
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import type { DamlValue } from '../../../interface/daml-value.js'
import {
  type DamlTransaction,
  decodePreparedTransaction,
  encodePreparedTransaction,
  type PreparedTransaction,
  type TransactionNode,
} from '../../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../../interface/prepared-transaction/hash.js'
import {
  encodeValue,
  type HashingScheme,
  MissingNode,
  TransactionHashError,
} from '../../../interface/prepared-transaction/hash-encoding.js'
import { normalisePreparedTransaction } from '../../../interface/prepared-transaction/normalise.js'
import { ProtobufError } from '../../../lib/protobuf/protobuf.js'
import { rewriteTree } from '../../support/bundles/rewrite-tree.js'
import { preparedSample, queryByKey, templateId, text } from '../../support/replay/prepared-sample.js'
import { changesOf } from './changes-of.js'

const schemes: readonly HashingScheme[] = ['V2', 'V3']

/** Hex, or the error. */
function hashOrProblem(prepared: PreparedTransaction, scheme: HashingScheme): string {
  try {
    return hashPreparedTransaction(prepared, scheme).toString('hex')
  } catch (error) {
    if (error instanceof MissingNode) return 'a missing node'
    if (error instanceof TransactionHashError) return error.message
    throw error
  }
}

function fullSample(scheme: HashingScheme): PreparedTransaction {
  const { transaction, metadata } = preparedSample(scheme)
  return {
    transaction,
    metadata: {
      ...metadata,
      maxRecordTime: 5n,
      globalKeyMapping: [{ key: queryByKey.key.key, value: text('any') }],
    },
  }
}

const uncovered = [
  /^metadata\.inputContracts\.\d\.eventBlob$/,
  /^metadata\.globalKeyMapping/,
  /^transaction\.nodes reversed$/,
  /^transaction\.nodes\.[13]\./, // hang on no root
  /^transaction\.nodeSeeds (reversed|shortened)$/,
  /^transaction\.nodeSeeds\.[1235]\./, // of those, of a fetch and of the rollback
]

t.test('a hash covers every part of a prepared transaction, except the known ones', async (t) => {
  for (const scheme of schemes) {
    const known = scheme === 'V2' ? [...uncovered, /^metadata\.maxRecordTime$/] : uncovered
    const sample = fullSample(scheme)
    const hash = hashOrProblem(sample, scheme)
    const changes = [...changesOf(sample)]
    const same = changes.filter(({ changed }) => hashOrProblem(changed, scheme) === hash).map(({ place }) => place)
    const expected = changes.map(({ place }) => place).filter((place) => known.some((pattern) => pattern.test(place)))
    t.same(same, expected, scheme)
    t.ok(known.every((pattern) => same.some((place) => pattern.test(place))))
    t.ok(changes.length - same.length > 80)
  }
})

t.test('absent and present parts have different hashes', async (t) => {
  for (const scheme of schemes) {
    const { transaction, metadata } = fullSample(scheme)
    const hash = hashOrProblem({ transaction, metadata }, scheme)
    for (const name of ['minLedgerEffectiveTime', 'maxLedgerEffectiveTime', 'maxRecordTime'] as const) {
      const without = hashOrProblem({ transaction, metadata: { ...metadata, [name]: undefined } }, scheme)
      t.equal(without === hash, scheme === 'V2' && name === 'maxRecordTime', `${scheme} ${name}`)
    }
  }
  const nowhere = { packageId: '', module: '', entity: '' }
  const unlabelled: DamlValue = { kind: 'record', id: nowhere, fields: [['', { kind: 'unit' }]] }
  const encoding = Buffer.from('0c 00 00000001 00 00'.replaceAll(' ', ''), 'hex')
  t.ok(encodeValue(unlabelled).equals(encoding), 'no id, one field, no label, unit')
})

t.test('the schemes have different hashes', async (t) => {
  const sample = preparedSample('V2')
  t.not(hashOrProblem(sample, 'V2'), hashOrProblem(sample, 'V3'))
})

/** Maps inside everything, in order. */
const ordered: DamlValue = {
  kind: 'list',
  items: [
    {
      kind: 'optional',
      value: {
        kind: 'variant',
        id: templateId,
        constructor: 'C',
        value: {
          kind: 'record',
          id: templateId,
          fields: [
            // UTF-16 order would swap the last two.
            ['z', { kind: 'textMap', entries: ['a', '\uffff', '\u{10000}'].map((key) => [key, text(key)]) }],
            ['a', { kind: 'genMap', entries: ['b', 'a'].map((key) => [text(key), text(key)]) }],
          ],
        },
      },
    },
  ],
}

const sets = /^(actAs|signatories|stakeholders|actingParties|choiceObservers|maintainers)$/

/** Reversed and with duplicates. */
const disordered = (prepared: PreparedTransaction): PreparedTransaction =>
  rewriteTree(prepared, (item, name) => {
    if (!Array.isArray(item)) return item
    if (sets.test(name)) return [...item.toReversed(), ...item]
    if (name === 'inputContracts') return [{ ...item[1], createdAt: 1n }, ...item.toReversed()]
    if (name === 'entries' && item.length === 3) return item.toReversed()
    return item
  })

t.test('normalising sorts and deduplicates exactly the sets and maps', async (t) => {
  const { transaction, metadata } = preparedSample('V3')
  const nodes = [...transaction.nodes, { nodeId: '6', node: queryByKey }]
  const sample = { transaction: { ...transaction, nodes, roots: ['6', '5', '0'] }, metadata }
  const inOrder = rewriteTree(sample, (item) => (isValue(item) ? ordered : item))
  t.ok(isDeepStrictEqual(normalisePreparedTransaction(inOrder), inOrder))
  t.ok(isDeepStrictEqual(normalisePreparedTransaction(disordered(inOrder)), inOrder))
  t.not(hashOrProblem(disordered(inOrder), 'V3'), hashOrProblem(inOrder, 'V3'))
})

const isValue = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && 'kind' in item && 'value' in item

t.test('an unhashable transaction is rejected with cause, place and remedy', async (t) => {
  const { transaction, metadata } = preparedSample('V2')
  const refusal = (
    message: RegExp,
    scheme: HashingScheme,
    changes: Partial<DamlTransaction>,
    otherMetadata = metadata,
  ) => {
    const prepared = { transaction: { ...transaction, ...changes }, metadata: otherMetadata }
    t.throws(() => hashPreparedTransaction(prepared, scheme), { name: 'TransactionHashError', message })
  }
  const replaced = (nodeId: string, node: TransactionNode) => ({
    nodes: transaction.nodes.map((item) => (item.nodeId === nodeId ? { nodeId, node } : item)),
  })
  const modern = preparedSample('V3').transaction
  const nodeSeeds = (left: (nodeId: number) => boolean) => ({
    nodeSeeds: transaction.nodeSeeds.filter(({ nodeId }) => left(nodeId)),
  })

  refusal(/^node "9" is a root or a child/, 'V2', { roots: ['0', '9'] })
  refusal(/^node "2" is a root or a child/, 'V2', {
    nodes: transaction.nodes.filter(({ nodeId }) => nodeId !== '2'),
  })
  refusal(
    /^node "0" has no seed; every create/,
    'V2',
    nodeSeeds((nodeId) => nodeId !== 0),
  )
  refusal(
    /^node "4" has no seed/,
    'V3',
    nodeSeeds((nodeId) => nodeId !== 4),
  )
  refusal(/^node "5" is its own descendant/, 'V2', replaced('4', { kind: 'rollback', children: ['5'] }))
  refusal(/^node "4" is its own descendant/, 'V2', replaced('4', { kind: 'rollback', children: ['4'] }))
  refusal(/ version V2 using hashing scheme V2\. .* V3 or higher\. \(node "0"\)$/, 'V2', modern)
  refusal(/V3 or higher\. \(node "2"\)$/, 'V2', replaced('2', queryByKey))
  refusal(/ version VDev .* V4 or higher/, 'V3', replaced('2', { ...queryByKey, lfVersion: 'dev' }))
  refusal(/\(input contract "0007/, 'V2', {}, preparedSample('V3').metadata)
  for (const { nodeId, node } of modern.nodes.filter((item) => ['0', '2', '4'].includes(item.nodeId))) {
    const old = node.kind === 'rollback' ? node : { ...node, lfVersion: '2.1' }
    refusal(new RegExp(`^node "${nodeId}" has a contract key`), 'V3', replaced(nodeId, old))
  }

  const badBlobs = transaction.nodeSeeds.map(({ nodeId }) => ({ nodeId, seed: Buffer.alloc(31) }))
  refusal(/^the seed of node "0" has 31 bytes/, 'V2', { nodeSeeds: badBlobs })
  const shortKey = { ...queryByKey.key, key: { ...queryByKey.key.key, hash: Buffer.alloc(33) } }
  refusal(/contract key has 33 bytes/, 'V3', replaced('2', { ...queryByKey, key: shortKey }))
  for (const result of ['0g', '000', 'AB', `<b>${'x'.repeat(100_000)}`]) {
    const bad = replaced('2', { ...queryByKey, result: [result] })
    refusal(/^contract id ".{1,100}" cannot be hashed/, 'V3', bad)
  }
})

t.test('deep, wide and shared trees of nodes are hashed in linear time', async (t) => {
  const chain = (length: number, children: (next: string) => string[]): DamlTransaction => ({
    version: '2.1',
    roots: ['0'],
    nodeSeeds: [],
    nodes: Array.from({ length }, (_, index) => ({
      nodeId: String(index),
      node: { kind: 'rollback', children: index + 1 < length ? children(String(index + 1)) : [] },
    })),
  })
  const hashed = (transaction: DamlTransaction) =>
    hashPreparedTransaction({ transaction, metadata: preparedSample('V2').metadata }, 'V2').length
  t.equal(hashed(chain(20_000, (next) => [next])), 32, 'deep')
  t.equal(hashed(chain(200, (next) => [next, next])), 32, 'shared: 2^200 paths to the last node')
  t.equal(hashed(chain(2, (next) => new Array<string>(300_000).fill(next))), 32, 'wide')
})

t.test('damaged bytes are hashed, or rejected with one of two errors', async (t) => {
  const whole = encodePreparedTransaction(fullSample('V3'))
  const outcomes = new Set<string>()
  const survives = (bytes: Buffer): void => {
    try {
      const hash = hashOrProblem(normalisePreparedTransaction(decodePreparedTransaction(bytes)), 'V3')
      outcomes.add(/^[0-9a-f]{64}$/.test(hash) ? 'a hash' : hash)
    } catch (error) {
      if (!(error instanceof ProtobufError)) throw error
      outcomes.add(error.name)
    }
  }
  for (let at = 0; at < whole.length; at += 2) {
    const flipped = Buffer.from(whole)
    flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 7)), at)
    survives(flipped)
    survives(whole.subarray(0, at))
  }
  for (const outcome of ['a hash', 'a missing node', 'ProtobufError', 'MissingPartError'])
    t.ok(outcomes.has(outcome), outcome)
})
