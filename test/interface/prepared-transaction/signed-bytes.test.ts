/** Altered prepared bytes: only signed content is executed. */
import t, { type Test } from 'tap'
import {
  type DamlTransaction,
  decodePreparedTransaction,
  encodePreparedTransaction,
  type PreparedTransaction,
  type TransactionNode,
} from '../../../interface/prepared-transaction/codec.js'
import { normalisePreparedTransaction } from '../../../interface/prepared-transaction/normalise.js'
import { ProtobufError } from '../../../lib/protobuf/protobuf.js'
import { reverseFields } from '../../../runner/sign/message-edit.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import {
  altered,
  execute,
  execution,
  externalEnvironment,
  hashOf,
  outcomeOf,
  refused,
  signatureOf,
  transactionPath,
} from '../../support/ledgers/external-environment.js'
import { objectIn, uploadPackages } from '../../support/ledgers/simulator-environment.js'
import fc from '../../support/records/properties.js'
import { edited, edits, flipped, placesIn, reworked } from '../../support/replay/damaged-prepared.js'
import { at } from '../../support/replay/replay-variables.js'

/** It has every kind of field, and an input contract. */
async function signedExercise(t: Test) {
  const environment = await externalEnvironment(t)
  await uploadPackages(environment.wire)
  const eve = await environment.onboard('eve', [makeSigningKey('ed25519')])
  const templateId = '#conformance-model:Conformance:Guarded'
  const create = { CreateCommand: { templateId, createArguments: { owner: eve.party, amount: '9' } } }
  const made = await execute(
    environment,
    execution(await environment.prepare(eve.party, create), [eve]),
    transactionPath,
  )
  const contractId = String(at(made.json(), '/transaction/events/0/CreatedEvent/contractId'))
  const spend = { templateId, contractId, choice: 'Spend', choiceArgument: { amount: '4' } }
  const prepared = await environment.prepare(eve.party, { ExerciseCommand: spend })
  return { environment, eve, prepared, entry: signatureOf(eve, prepared) }
}

/** Without the parts that a V2 hash does not cover. */
function covered({ transaction, metadata }: PreparedTransaction): PreparedTransaction {
  return {
    transaction: { ...transaction, ...reachable(transaction) },
    metadata: {
      ...metadata,
      maxRecordTime: undefined,
      globalKeyMapping: [],
      inputContracts: metadata.inputContracts.map((input) => ({ ...input, eventBlob: Buffer.alloc(0) })),
    },
  }
}

/** Nodes below a root, in order, and their seeds. */
function reachable({ roots, nodes, nodeSeeds }: DamlTransaction): Pick<DamlTransaction, 'nodes' | 'nodeSeeds'> {
  const byId = new Map(nodes.map((item) => [item.nodeId, item]))
  const ids = new Set(roots)
  for (const id of ids) for (const child of childrenOf(byId.get(id)?.node)) ids.add(child)
  const found = [...ids].sort().flatMap((id) => byId.get(id) ?? [])
  const seeded = found.filter(({ node }) => node.kind === 'create' || node.kind === 'exercise')
  const seeds = new Map(nodeSeeds.map((item) => [String(item.nodeId), item]))
  return { nodes: found, nodeSeeds: seeded.flatMap(({ nodeId }) => seeds.get(nodeId) ?? []) }
}

const childrenOf = (node: TransactionNode | undefined): string[] => (node && 'children' in node ? node.children : [])

/** Undefined for invalid bytes. */
function coveredContent(bytes: Buffer): string | undefined {
  try {
    const content = covered(normalisePreparedTransaction(decodePreparedTransaction(bytes)))
    return encodePreparedTransaction(content).toString('hex')
  } catch (error) {
    if (error instanceof ProtobufError) return undefined
    throw error
  }
}

/** Missing nodes cause a fault of the reference. */
const refusals: readonly (number | string)[] = [
  ...['FAILED_TO_EXECUTE_TRANSACTION', 'INVALID_ARGUMENT', 'MISSING_FIELD', 'INVALID_FIELD', 'MALFORMED_REQUEST'].map(
    (code) => `400 ${code}`,
  ),
  '500 NA',
]

t.test('the signature of the original bytes does not authorize altered content', async (t) => {
  const { environment, eve, prepared, entry } = await signedExercise(t)
  const said = coveredContent(prepared)
  const places = placesIn(prepared)
  const mutation = fc.oneof(
    fc.integer({ min: 0, max: prepared.length * 8 - 1 }).map((bit) => flipped(prepared, bit)),
    fc
      .tuple(fc.constantFrom(...places), fc.constantFrom(...edits))
      .map(([place, edit]) => edited(prepared, place, edit)),
  )
  let sent = 0
  const property = fc.asyncProperty(mutation, async (bytes) => {
    // Another test covers the hash.
    if (coveredContent(bytes) === said) return
    sent += 1
    const outcome = outcomeOf(await execute(environment, execution(bytes, [entry])))
    if (!refusals.includes(outcome)) throw new Error(`${outcome} for ${bytes.toString('base64')}`)
  })
  await fc.assert(property, { numRuns: 400 })
  t.ok(sent > 200, `${sent} of them had other content`)
  t.equal(outcomeOf(await execute(environment, execution(prepared, [eve]))), 200, 'the unaltered bytes are executed')
})

t.test('a change outside the V2 hash is ignored or rejected, and the signed effect never changes', async (t) => {
  const harmless: [title: string, (bytes: Buffer) => Buffer][] = [
    ['an unknown field', (bytes) => altered(bytes, { 'unknown-field': { metadata: 'x', transaction: 'x' } })],
    ['fields in the opposite order', reverseFields],
    [
      'nodes in another order',
      (bytes) => reworked(bytes, ({ transaction: { nodes } }) => ({ transaction: { nodes: nodes.toReversed() } })),
    ],
    [
      'seeds in another order',
      (bytes) =>
        reworked(bytes, ({ transaction: { nodeSeeds } }) => ({ transaction: { nodeSeeds: nodeSeeds.toReversed() } })),
    ],
    ['acting parties twice', (bytes) => altered(bytes, { repeat: { 'metadata.submitter_info.act_as': true } })],
    [
      'the latest record time',
      (bytes) => reworked(bytes, () => ({ metadata: { maxRecordTime: 4_102_444_800_000_000n } })),
    ],
  ]
  const noticed: [title: string, (bytes: Buffer) => Buffer, outcome: string][] = [
    [
      'another blob',
      (bytes) => altered(bytes, { 'set-bytes': { 'metadata.input_contracts.event_blob': 'AAEC' } }),
      refused,
    ],
    [
      'a node below no root',
      (bytes) =>
        reworked(bytes, ({ transaction: { nodes } }) => ({
          transaction: { nodes: [...nodes, { nodeId: '7', node: { kind: 'rollback', children: [] } }] },
        })),
      '400 NA',
    ],
    [
      'a seed without node',
      (bytes) =>
        reworked(bytes, ({ transaction: { nodeSeeds } }) => ({
          transaction: { nodeSeeds: [...nodeSeeds, { nodeId: 7, seed: Buffer.alloc(32) }] },
        })),
      '400 NA',
    ],
    [
      'a record time in the past',
      (bytes) => reworked(bytes, () => ({ metadata: { maxRecordTime: 1n } })),
      '409 LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED',
    ],
  ]
  for (const [title, change] of harmless) {
    const { environment, prepared, entry } = await signedExercise(t)
    const changed = change(prepared)
    t.notSame(changed, prepared)
    const answer = objectIn(await execute(environment, execution(changed, [entry]), transactionPath))
    t.match(answer['transaction'], { externalTransactionHash: hashOf(prepared).toString('hex') }, title)
    t.match(
      at(answer, '/transaction/events/1/CreatedEvent/createArgument'),
      { amount: '5' },
      'the transaction has the signed effect',
    )
  }
  for (const [title, change, outcome] of noticed) {
    const { environment, prepared, entry } = await signedExercise(t)
    t.equal(outcomeOf(await execute(environment, execution(change(prepared), [entry]))), outcome, title)
  }
})
