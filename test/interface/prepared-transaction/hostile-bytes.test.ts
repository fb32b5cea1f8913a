/** The simulator answers hostile signed bytes, and commits only valid content. */
import t from 'tap'
import type { DamlValue } from '../../../interface/daml-value.js'
import type { TransactionNode } from '../../../interface/prepared-transaction/codec.js'
import { TransactionHashError } from '../../../interface/prepared-transaction/hash-encoding.js'
import type { JsonObject } from '../../../lib/json/json.js'
import { bytesField, ProtobufError } from '../../../lib/protobuf/protobuf.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import type { BehaviourName } from '../../../simulator/simulator.js'
import {
  altered,
  createAllTypes,
  createPing,
  type ExternalEnvironment,
  eveEnvironment,
  execute,
  executePath,
  execution,
  externalEnvironment,
  hashOf,
  outcomeOf,
  refused,
  type Signer,
  signatureOf,
  transactionPath,
} from '../../support/ledgers/external-environment.js'
import { ping, uploadPackages } from '../../support/ledgers/simulator-environment.js'
import fc from '../../support/records/properties.js'
import { edited, edits, flipped, placesIn, reworked } from '../../support/replay/damaged-prepared.js'
import { anyNode } from './any-prepared.js'

/** Factor for the number of requests: `HOSTILE_TIMES=10`. */
const times = Number(process.env['HOSTILE_TIMES'] ?? 1)

/** Signs the bytes if they have a hash. Returns faults of the answer. */
async function provoke(
  environment: ExternalEnvironment,
  eve: Signer,
  bytes: Buffer,
  behaviour: BehaviourName,
): Promise<string[]> {
  const answer = await execute(environment, execution(bytes, [signedIfPossible(eve, bytes)]))
  const mayFault = behaviour === 'canton-3.5' && outcomeOf(answer) === '500 NA'
  return answer.status >= 500 && !mayFault ? [`${answer.status} ${answer.text}`] : []
}

function signedIfPossible(eve: Signer, bytes: Buffer): JsonObject {
  try {
    return signatureOf(eve, bytes)
  } catch (error) {
    if (!(error instanceof ProtobufError || error instanceof TransactionHashError)) throw error
    return { party: eve.party, signatures: eve.keys.map((key) => key.sign(Buffer.alloc(32))) }
  }
}

for (const behaviour of ['canton-3.5', 'interface'] as const) {
  t.test(`any signed bytes are answered, and only valid content is committed: ${behaviour}`, async (t) => {
    const faults = t.capture(console, 'error')
    const environment = await externalEnvironment(t, { behaviour })
    await uploadPackages(environment.wire)
    const eve = await environment.onboard('eve', [makeSigningKey('ed25519')])
    const createArguments = { author: eve.party, readers: [], text: 'x' }
    const note = { CreateCommand: { templateId: '#conformance-model:Conformance:Note', createArguments } }
    const check = async (bytes: Buffer): Promise<void> => {
      const found = await provoke(environment, eve, bytes, behaviour)
      const logged = faults().map(({ args }) => args.map(String).join(' '))
      if (found.length + logged.length > 0) throw new Error([...found, ...logged].join('\n').slice(0, 2000))
    }
    const seeds = fc.nat()
    const byBits = fc.asyncProperty(seeds, async (seed) => {
      const prepared = await environment.prepare(eve.party, note)
      await check(flipped(prepared, seed % (prepared.length * 8)))
    })
    await fc.assert(byBits, { numRuns: 20 * times })
    const anyEdit = fc.constantFrom(...edits)
    const byFields = fc.asyncProperty(seeds, anyEdit, async (seed, edit) => {
      const prepared = await environment.prepare(eve.party, note)
      const places = placesIn(prepared)
      await check(edited(prepared, places[seed % places.length] ?? [0], edit))
    })
    await fc.assert(byFields, { numRuns: 20 * times })
    const anyNodes = fc.array(anyNode, { minLength: 1, maxLength: 4 })
    const byNodes = fc.asyncProperty(anyNodes, async (nodes) => {
      const bytes = reworked(await environment.prepare(eve.party, note), () => ({
        transaction: {
          nodes: nodes.map((node, index) => ({ nodeId: String(index), node })),
          nodeSeeds: nodes.map((_, nodeId) => ({ nodeId, seed: Buffer.alloc(32, nodeId) })),
        },
      }))
      await check(bytes)
    })
    await fc.assert(byNodes, { numRuns: 20 * times })
    const anyTime = fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { nil: undefined })
    const byTimes = fc.asyncProperty(anyTime, anyTime, anyTime, anyTime, async (prep, min, max, latest) => {
      const metadata = { minLedgerEffectiveTime: min, maxLedgerEffectiveTime: max, maxRecordTime: latest }
      const preparationTime = prep === undefined ? {} : { preparationTime: prep }
      await check(
        reworked(await environment.prepare(eve.party, note), () => ({ metadata: { ...metadata, ...preparationTime } })),
      )
    })
    await fc.assert(byTimes, { numRuns: 15 * times })
    const active = await environment.wire.post('/v2/state/active-contracts', {
      activeAtOffset: Number(await environment.ledgerEnd()),
      eventFormat: { filtersByParty: { [eve.party]: {} }, verbose: true },
    })
    t.equal(active.status, 200, 'all committed contracts can be read')
    t.equal(outcomeOf(await execute(environment, execution(await environment.prepare(eve.party, note), [eve]))), 200)
  })
}

t.test('signed values that no ledger can store are not committed', async (t) => {
  const environment = await externalEnvironment(t)
  await uploadPackages(environment.wire)
  const eve = await environment.onboard('eve', [makeSigningKey('ed25519')])
  const one = { kind: 'int64', value: 1n } as const
  const text = { kind: 'text', value: 'x' } as const
  const values: [label: string, value: DamlValue, outcome: number | string][] = [
    ['text', text, 200],
    ['text', { kind: 'text', value: 'a\0b' }, '400 NA'],
    ['decimal', { kind: 'numeric', value: '1.5' }, '400 NA'],
    ['decimal', { kind: 'numeric', value: 'abc' }, '400 NA'],
    ['date', { kind: 'date', value: 2_147_483_647 }, '400 NA'],
    ['time', { kind: 'timestamp', value: 2n ** 62n }, '400 NA'],
    ['owner', { kind: 'party', value: 'unknown party' }, '400 NA'],
    [
      'textMap',
      {
        kind: 'textMap',
        entries: [
          ['a', one],
          ['a', one],
        ],
      },
      '400 NA',
    ],
    [
      'genMap',
      {
        kind: 'genMap',
        entries: [
          [{ kind: 'int64', value: 2n }, text],
          [one, text],
        ],
      },
      '400 NA',
    ],
    ['contract', { kind: 'optional', value: { kind: 'contractId', value: `00${'ab'.repeat(32)}` } }, '400 NA'],
    ['int', text, '400 NA'],
  ]
  for (const [label, value, outcome] of values) {
    const bytes = reworked(await environment.prepare(eve.party, createAllTypes(eve)), ({ transaction: { nodes } }) => ({
      transaction: { nodes: nodes.map(({ nodeId, node }) => ({ nodeId, node: withField(node, label, value) })) },
    }))
    t.equal(outcomeOf(await execute(environment, execution(bytes, [eve]))), outcome, `${label}: ${value.kind}`)
  }
})

function withField(node: TransactionNode, label: string, value: DamlValue): TransactionNode {
  if (node.kind !== 'create' || node.argument.kind !== 'record') return node
  const known = node.argument.fields.map(([name, old]): [string, typeof old] => [name, name === label ? value : old])
  // Empty fields at the end are not written.
  const fields = known.some(([name]) => name === label)
    ? known
    : [...known, [label, value] satisfies [string, DamlValue]]
  return { ...node, argument: { ...node.argument, fields } }
}

t.test('malformed bytes are rejected', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const prepared = await environment.prepare(eve.party, createPing(eve))
  let nested: Buffer = Buffer.from([0x0a, 0])
  for (let depth = 0; depth < 10_000; depth += 1) nested = bytesField(10, bytesField(1, nested))
  const deep = altered(prepared, { 'set-bytes': { 'transaction.nodes.v1.create.argument': nested.toString('base64') } })
  const unparsable = '400 INVALID_ARGUMENT'
  const forms: [title: string, bytes: Buffer, outcome: string][] = [
    ['empty', Buffer.alloc(0), '400 MISSING_FIELD'],
    ['truncated', prepared.subarray(0, -1), unparsable],
    ['no protobuf', Buffer.from('ffffffff', 'hex'), unparsable],
    ['nested deeply', deep, unparsable],
    ['a string that is not UTF-8', Buffer.concat([prepared, Buffer.from('12070a0212001a01ff', 'hex')]), unparsable],
    ['a length beyond the end', Buffer.from('0affffffffffffffffff01', 'hex'), unparsable],
  ]
  for (const [title, bytes, outcome] of forms) {
    const signed = execution(bytes, [{ party: eve.party, signatures: [] }])
    for (const path of [executePath, transactionPath])
      t.equal(outcomeOf(await execute(environment, signed, path)), outcome, title)
  }
})

const nodes =
  (count: number, childrenOf: (index: number) => number[]) =>
  (prepared: Buffer): Buffer =>
    reworked(prepared, () => ({
      transaction: {
        roots: ['0'],
        nodes: Array.from({ length: count }, (_, index) => ({
          nodeId: String(index),
          node: { kind: 'rollback' as const, children: childrenOf(index).map(String) },
        })),
      },
    }))

const withNodeId = (nodeId: string) => (prepared: Buffer) =>
  altered(prepared, { set: { 'transaction.nodes.node_id': nodeId } })

t.test('bytes with enormous or impossible content receive a short answer', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const crowd = Array.from({ length: 30_000 }, (_, index) => String(index))
  const fetches = Array.from({ length: 2000 }, (_, index) => fetchOf(index + 1))
  type Content = [title: string, change: (prepared: Buffer) => Buffer, outcome: string]
  const contents: Content[] = [
    ['a node that is its own descendant', nodes(2, (index) => [1 - index]), refused],
    ['a long chain', nodes(5000, (index) => (index < 4999 ? [index + 1] : [])), '400 NA'],
    ['children of many', nodes(2000, (index) => (index < 1999 ? Array(10).fill(index + 1) : [])), '400 NA'],
    ['a node id that is not a number', withNodeId('-1'), refused],
    ['an enormous node id', withNodeId('9'.repeat(400)), refused],
    [
      'thirty thousand acting parties',
      (bytes) => reworked(bytes, () => ({ metadata: { submitterInfo: { actAs: crowd, commandId: 'c' } } })),
      refused,
    ],
    ...(['preparationTime', 'minLedgerEffectiveTime', 'maxLedgerEffectiveTime', 'maxRecordTime'] as const).map(
      (name): Content => [
        `${name} beyond the year 9999`,
        (bytes) => reworked(bytes, () => ({ metadata: { [name]: 2n ** 63n } })),
        refused,
      ],
    ),
    [
      'contracts that do not exist',
      (bytes) => reworked(bytes, ({ transaction }) => ({ transaction: { nodes: [...transaction.nodes, ...fetches] } })),
      refused,
    ],
  ]
  for (const [title, change, outcome] of contents) {
    const bytes = change(await environment.prepare(eve.party, createPing(eve)))
    const answer = await execute(environment, execution(bytes, [signedIfPossible(eve, bytes)]))
    t.equal(outcomeOf(answer), outcome, title)
    t.ok(answer.text.length < 10_000, 'the size of the answer is limited')
  }
})

const fetchOf = (index: number) => ({
  nodeId: String(index),
  node: {
    kind: 'fetch' as const,
    lfVersion: '2.1',
    contractId: `00${String(index).padStart(64, '0')}`,
    packageName: 'p',
    templateId: { packageId: 'p', module: 'M', entity: 'E' },
    signatories: [],
    stakeholders: [],
    key: undefined,
    actingParties: [],
    interfaceId: undefined,
    byKey: false,
  },
})

t.test('four thousand signatures of one party are rejected', async (t) => {
  const { environment, eve } = await eveEnvironment(t, { protocolVersion: 34 })
  const prepared = await environment.prepare(eve.party, createPing(eve))
  const signature = makeSigningKey('p384').sign(hashOf(prepared))
  const many = (letter: string) => ({
    party: eve.party,
    signatures: Array.from({ length: 2_000 }, (_, index) => ({
      ...signature,
      signature: Buffer.from(`${letter}${index}`).toString('base64'),
    })),
  })
  t.equal(outcomeOf(await execute(environment, execution(prepared, [many('a'), many('b')]))), refused)
})

t.test('a root node that no command creates is not committed', async (t) => {
  const { environment, eve } = await eveEnvironment(t)
  const createArguments = { id: 'x', initiator: eve.party, responder: eve.party }
  const both = { templateId: ping, createArguments, choice: 'Respond', choiceArgument: {} }
  const twoRoots = await environment.prepare(eve.party, { CreateAndExerciseCommand: both })
  t.equal(outcomeOf(await execute(environment, execution(twoRoots, [eve]))), refused)
  const prepared = await environment.prepare(eve.party, createPing(eve))
  const rollback = reworked(prepared, ({ transaction: { nodes } }) => ({
    transaction: { roots: ['1'], nodes: [...nodes, { nodeId: '1', node: { kind: 'rollback', children: ['0'] } }] },
  }))
  t.equal(outcomeOf(await execute(environment, execution(rollback, [eve]))), '400 NA')
  const withoutParties = altered(prepared, { remove: { 'metadata.submitter_info.act_as': true } })
  t.equal(outcomeOf(await execute(environment, execution(withoutParties, [eve]))), '400 MALFORMED_REQUEST')
  t.equal(
    outcomeOf(await execute(environment, execution(withoutParties, [eve]), executePath)),
    200,
    'without a completion of the party',
  )
})
