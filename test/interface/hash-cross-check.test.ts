/** Compares hashes and signatures with independent code. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  computeMultiHashForTopology,
  computeSha256CantonHash,
  decodePreparedTransaction as decodeElsewhere,
  hashPreparedTransaction as hashElsewhere,
} from '@canton-network/core-tx-visualizer'
import t from 'tap'
import { hashPurpose, keyFingerprint, multiTopologyHash, purposeDigest } from '../../interface/crypto-hash.js'
import type { DamlValue } from '../../interface/daml-value.js'
import { decodePreparedTransaction, encodePreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../interface/prepared-transaction/hash.js'
import type { JsonObject } from '../../lib/json/json.js'
import { isSignedBy, readKey } from '../../simulator/ledger/state/external-party.js'
import { anyValue } from '../support/ledgers/any-daml-value.js'
import { modelEnvironment } from '../support/ledgers/model-environment.js'
import { templateOf } from '../support/ledgers/model-packages.js'
import { onboard } from '../support/ledgers/onboarded-party.js'
import {
  objectIn,
  ping,
  type SimulatorEnvironment,
  submitPath,
  textAt,
} from '../support/ledgers/simulator-environment.js'
import fc from '../support/records/properties.js'
import { rewriteTree } from '../support/records/rewrite-tree.js'
import { preparedSample } from '../support/replay/prepared-sample.js'
import { vectors } from '../support/replay/recorded-vectors.js'

interface Prepared {
  preparedTransaction: string
  preparedTransactionHash: string
}

interface Published {
  prepared: (Prepared & { note: string })[]
  topology: { note: string; transaction: string; hash: string }[]
  /** `of`: indices of topology transactions. */
  multiHashes: { of: number[]; hash: string }[]
  fingerprints: { key: string; fingerprint: string }[]
  notFingerprints: string[]
  signature: { seed: string; publicKey: string; fingerprint: string; message: string; signature: string }
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../test/recordings/${name}`, import.meta.url), 'utf8'))

const published = read('published-vectors.json') as Published // our own data, in this form
const recordedTopology = read('topology.json') as { topologyTransactions: string[]; multiHash: string }[] // as above
const reference = read('reference-hashes.json') as Record<'V2' | 'V3', { bytes: string }> // as above

const base64 = (text: string): Buffer => Buffer.from(text, 'base64')
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const multihash = (digest: Buffer): Buffer => Buffer.concat([hex('1220'), digest])

const hashHere = (bytes: string): string =>
  hashPreparedTransaction(decodePreparedTransaction(base64(bytes)), 'V2').toString('base64')

/** The public wallet library reads integers as doubles. */
function outgrowsDoubles(bytes: string): boolean {
  const integers: bigint[] = []
  rewriteTree(decodePreparedTransaction(base64(bytes)).transaction, (item) => {
    if (typeof item === 'bigint') integers.push(item)
    return item
  })
  return integers.some((value) => BigInt(Number(value)) !== value)
}

/** By the public wallet library. */
async function multiHashElsewhere(transactions: readonly string[]): Promise<Uint8Array> {
  const hashes = transactions.map((bytes) => computeSha256CantonHash(hashPurpose.topologyTransaction, base64(bytes)))
  const image = await computeMultiHashForTopology(await Promise.all(hashes))
  return await computeSha256CantonHash(hashPurpose.multiTopology, image)
}

t.test('every known V2 transaction has the recorded hash, also in the public wallet library', async (t) => {
  const all = [...published.prepared, ...vectors.filter(({ scheme }) => scheme === 'HASHING_SCHEME_VERSION_V2')]
  for (const { note, preparedTransaction, preparedTransactionHash } of all) {
    t.equal(hashHere(preparedTransaction), preparedTransactionHash, note)
    const agrees = (await hashElsewhere(preparedTransaction)) === preparedTransactionHash
    t.equal(agrees, !outgrowsDoubles(preparedTransaction), note)
  }
  t.equal(all.filter(({ preparedTransaction }) => !outgrowsDoubles(preparedTransaction)).length, 18)
  const { bytes } = reference.V2
  t.equal(await hashElsewhere(bytes), hashHere(bytes), "the sample of the reference implementation's own tests")
})

/** The numbers are exact as doubles. */
const everyType = (owner: string): JsonObject => ({
  ...{ owner, text: 'ä𝄞', int: '9007199254740991', decimal: '-1.5', bool: true, date: '1969-12-31', unit: {} },
  ...{ time: '2026-11-21T10:00:00.123456Z', optionalText: null, nestedOptional: [['7']], list: ['1', '-2'] },
  ...{ textMap: { b: '2', a: '1' }, genMap: [['1', 'one']], record: { a: '1', b: 'b' }, enum: 'Green' },
  ...{ variant: { tag: 'Square', value: { a: '1', b: '' } } },
})

const modelTemplate = (entity: string): string => `#conformance-model:Conformance:${entity}`
const create = (templateId: string, createArguments: JsonObject) => ({ CreateCommand: { templateId, createArguments } })
const exercise = (templateId: string, contractId: string, choice: string, choiceArgument: JsonObject) => ({
  ExerciseCommand: { templateId, contractId, choice, choiceArgument },
})

async function prepare({ wire }: SimulatorEnvironment, party: string, command: JsonObject): Promise<Prepared> {
  const answer = objectIn(
    await wire.post('/v2/interactive-submission/prepare', {
      ...{ commandId: `c-${JSON.stringify(command).length}`, commands: [command], actAs: [party], userId: 'user' },
      ...{ synchronizerId: '', packageIdSelectionPreference: [] },
    }),
  )
  return {
    preparedTransaction: textAt(answer, 'preparedTransaction'),
    preparedTransactionHash: textAt(answer, 'preparedTransactionHash'),
  }
}

/** Eve is a stakeholder. */
async function contractFor(
  environment: SimulatorEnvironment,
  eve: string,
  entity: string,
  args: JsonObject,
): Promise<string> {
  const { wire, submission } = environment
  const submitted = submission({ commands: [create(modelTemplate(entity), args)] })
  const { completionOffset } = objectIn(await wire.post(submitPath, submitted))
  const { text } = await wire.post('/v2/state/active-contracts', {
    activeAtOffset: completionOffset ?? 0,
    eventFormat: {
      filtersByParty: {
        [eve]: {
          cumulative: [{ identifierFilter: { TemplateFilter: { value: { templateId: modelTemplate(entity) } } } }],
        },
      },
    },
  })
  return /"contractId":"([0-9a-f]+)"/.exec(text)?.[1] ?? ''
}

for (const protocolVersion of [34, 35] as const) {
  t.test(
    `what the simulator prepares has the hash that a wallet computes, protocol version ${protocolVersion}`,
    async (t) => {
      const environment = await modelEnvironment(t, { protocolVersion })
      const { party: eve } = await onboard(environment.wire, 'ed25519')
      const { alice } = environment
      const delegation = await contractFor(environment, eve, 'Delegation', { principal: alice, agent: eve })
      const asset = await contractFor(environment, eve, 'Asset', {
        issuer: alice,
        owner: eve,
        name: 'gold',
        amount: '3',
      })
      const now = {
        templateId: modelTemplate('AllTypes'),
        createArguments: everyType(eve),
        choice: 'Now',
        choiceArgument: {},
      }
      const commands: [title: string, command: JsonObject][] = [
        ['a create', create(ping, { id: 'x', initiator: eve, responder: alice })],
        ['values of every type', create(modelTemplate('AllTypes'), everyType(eve))],
        [
          'an exercise with a create as its child',
          exercise(modelTemplate('Delegation'), delegation, 'CreateFor', { text: 't' }),
        ],
        ['a choice of an interface', exercise(modelTemplate('Holding'), asset, 'Rename', { name: 'silver' })],
        ['two roots, bound to the ledger time', { CreateAndExerciseCommand: now }],
      ]
      for (const [title, command] of commands) {
        const { preparedTransaction, preparedTransactionHash } = await prepare(environment, eve, command)
        t.equal(hashHere(preparedTransaction), preparedTransactionHash, title)
        t.equal(await hashElsewhere(preparedTransaction), preparedTransactionHash, title)
      }
    },
  )
}

function withArgument(argument: DamlValue): string {
  const { transaction, metadata } = preparedSample('V2')
  const nodes = transaction.nodes.map((item) =>
    item.node.kind === 'create' ? { ...item, node: { ...item.node, argument } } : item,
  )
  return encodePreparedTransaction({ transaction: { ...transaction, nodes }, metadata }).toString('base64')
}

/** The library reads integers as doubles. */
const exactIntegers = (value: DamlValue): DamlValue =>
  rewriteTree(value, (item) => (typeof item === 'bigint' ? BigInt.asIntN(53, item) : item))

t.test('any value of the model has the same hash in the public wallet library', async (t) => {
  const property = fc.asyncProperty(anyValue(templateOf('AllTypes').argument).map(exactIntegers), async (value) => {
    const bytes = withArgument(value)
    return (await hashElsewhere(bytes)) === hashHere(bytes)
  })
  await fc.assert(property, { numRuns: 60 })
  t.pass('no counterexample')
})

t.test('the public wallet library differs exactly in the known cases', async (t) => {
  const differs = async (argument: DamlValue) => {
    const bytes = withArgument(argument)
    t.not(await hashElsewhere(bytes), hashHere(bytes))
  }
  await differs({ kind: 'int64', value: 2n ** 53n + 1n })
  const id = { packageId: 'p', module: 'M', entity: 'T' }
  await differs({ kind: 'record', id, fields: [['', { kind: 'unit' }]] })
  const v3 = hashPreparedTransaction(decodePreparedTransaction(base64(reference.V3.bytes)), 'V3').toString('base64')
  t.not(await hashElsewhere(reference.V3.bytes), v3, 'it supports only scheme V2')
})

t.test('the public wallet library reads encoded transactions', async (t) => {
  const { transaction, metadata } = preparedSample('V2')
  const read = decodeElsewhere(encodePreparedTransaction({ transaction, metadata }).toString('base64'))
  t.match(read, {
    transaction: { version: transaction.version, roots: transaction.roots },
    metadata: {
      transactionUuid: metadata.transactionUuid,
      submitterInfo: { actAs: metadata.submitterInfo.actAs, commandId: metadata.submitterInfo.commandId },
      minLedgerEffectiveTime: String(metadata.minLedgerEffectiveTime),
    },
  })
})

t.test('topology transactions and their multi-hash have the published hashes', async (t) => {
  for (const { note, transaction, hash } of published.topology) {
    const digest = purposeDigest(hashPurpose.topologyTransaction, base64(transaction))
    t.equal(multihash(digest).toString('hex'), hash, note)
  }
  const fresh = await onboard((await modelEnvironment(t)).wire, 'p256')
  const sets: [transactions: string[], multiHash: string][] = [
    ...published.multiHashes.map(({ of, hash }): [string[], string] => [
      of.map((index) => published.topology[index]?.transaction ?? ''),
      hex(hash).toString('base64'),
    ]),
    ...recordedTopology.map((item): [string[], string] => [item.topologyTransactions, item.multiHash]),
    [fresh.topology.transactions, fresh.topology.multiHash],
  ]
  for (const [transactions, expected] of sets) {
    t.equal(multiTopologyHash(transactions.map(base64)).toString('base64'), expected)
    t.equal(multiTopologyHash(transactions.toReversed().map(base64)).toString('base64'), expected, 'in any order')
    t.equal(Buffer.from(await multiHashElsewhere(transactions)).toString('base64'), expected)
  }
})

t.test('published keys have the published fingerprints', async (t) => {
  for (const { key, fingerprint } of [...published.fingerprints, published.signature].map(keyed)) {
    t.equal(keyFingerprint(key), fingerprint)
    const found = readKey(key, 'SIGNING_KEY_SPEC_EC_CURVE25519')
    t.equal(found?.fingerprint, fingerprint)
    t.notOk(published.notFingerprints.includes(fingerprint))
    t.equal(readKey(found?.spki ?? key, 'SIGNING_KEY_SPEC_EC_CURVE25519')?.fingerprint, fingerprint, 'in DER form')
  }
  const [first] = published.fingerprints
  const spki = readKey(hex(first?.key ?? ''), 'SIGNING_KEY_SPEC_EC_CURVE25519')?.spki ?? Buffer.alloc(0)
  t.strictSame([keyFingerprint(spki)], published.notFingerprints, 'the DER form has another fingerprint')
})

const keyed = (item: { fingerprint: string; key?: string; publicKey?: string }) => ({
  fingerprint: item.fingerprint,
  key: hex(item.key ?? item.publicKey ?? ''),
})

t.test('a published Ed25519 signature is reproduced and verified', async (t) => {
  const { seed, publicKey, message, signature } = published.signature
  const pkcs8 = Buffer.concat([hex('302e020100300506032b657004220420'), hex(seed)])
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  t.equal(spki.subarray(-32).toString('hex'), publicKey)
  t.equal(sign(null, hex(message), privateKey).toString('base64'), signature)
  const key = readKey(hex(publicKey), 'SIGNING_KEY_SPEC_EC_CURVE25519')
  if (!key) throw new Error('the published key is one')
  t.ok(isSignedBy(key, hex(message), base64(signature)))
  t.notOk(isSignedBy(key, multihash(hex(message)), base64(signature)), 'the signature covers the bare 32 bytes')
  const { transaction, metadata } = preparedSample('V2')
  t.equal(hashPreparedTransaction({ transaction, metadata }, 'V2').toString('hex'), message, 'a known final hash')
})
