/** Compares hashes with independent code: the public wallet library. */
import t from 'tap'
import { hashPurpose } from '../../interface/crypto-hash.js'
import type { DamlValue } from '../../interface/daml-value.js'
import { decodePreparedTransaction, encodePreparedTransaction } from '../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../interface/prepared-transaction/hash.js'
import type { JsonObject } from '../../lib/json/json.js'
import { rewriteTree } from '../support/bundles/rewrite-tree.js'
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
import { preparedSample } from '../support/replay/prepared-sample.js'
import {
  base64,
  hashHere,
  type Prepared,
  published,
  recordedTopology,
  reference,
} from '../support/replay/published-vectors.js'
import { vectors } from '../support/replay/recorded-vectors.js'
import { importSeparate } from './separate-packages.js'

interface WalletLibrary {
  /** Of an encoded prepared transaction in base64. */
  hashPreparedTransaction(transaction: string): Promise<string>
  decodePreparedTransaction(transaction: string): object
  computeSha256CantonHash(purpose: number, bytes: Uint8Array): Promise<Uint8Array>
  computeMultiHashForTopology(hashes: readonly Uint8Array[]): Promise<Uint8Array>
}

const library = await importSeparate<WalletLibrary>('@canton-network/core-tx-visualizer')
const hashElsewhere = library.hashPreparedTransaction

/** The public wallet library reads integers as doubles. */
function outgrowsDoubles(bytes: string): boolean {
  const integers: bigint[] = []
  rewriteTree(decodePreparedTransaction(base64(bytes)).transaction, (item) => {
    if (typeof item === 'bigint') integers.push(item)
    return item
  })
  return integers.some((value) => BigInt(Number(value)) !== value)
}

async function multiHashElsewhere(transactions: readonly string[]): Promise<Uint8Array> {
  const hashes = transactions.map((bytes) =>
    library.computeSha256CantonHash(hashPurpose.topologyTransaction, base64(bytes)),
  )
  const image = await library.computeMultiHashForTopology(await Promise.all(hashes))
  return await library.computeSha256CantonHash(hashPurpose.multiTopology, image)
}

t.test('every known V2 transaction has the recorded hash in the public wallet library', async (t) => {
  const all = [...published.prepared, ...vectors.filter(({ scheme }) => scheme === 'HASHING_SCHEME_VERSION_V2')]
  for (const { note, preparedTransaction, preparedTransactionHash } of all) {
    const agrees = (await hashElsewhere(preparedTransaction)) === preparedTransactionHash
    t.equal(agrees, !outgrowsDoubles(preparedTransaction), note)
  }
  t.equal(all.filter(({ preparedTransaction }) => !outgrowsDoubles(preparedTransaction)).length, 18)
  const { bytes } = reference.V2
  t.equal(await hashElsewhere(bytes), hashHere(bytes), "the sample of the reference implementation's own tests")
})

/** The numbers are exact as doubles. */
const everyType = (owner: string): JsonObject => ({
  owner,
  text: 'ä𝄞',
  int: '9007199254740991',
  decimal: '-1.5',
  bool: true,
  date: '1969-12-31',
  unit: {},
  time: '2026-11-21T10:00:00.123456Z',
  optionalText: null,
  nestedOptional: [['7']],
  list: ['1', '-2'],
  textMap: { b: '2', a: '1' },
  genMap: [['1', 'one']],
  record: { a: '1', b: 'b' },
  enum: 'Green',
  variant: { tag: 'Square', value: { a: '1', b: '' } },
})

const modelTemplate = (entity: string): string => `#conformance-model:Conformance:${entity}`
const create = (templateId: string, createArguments: JsonObject) => ({ CreateCommand: { templateId, createArguments } })
const exercise = (templateId: string, contractId: string, choice: string, choiceArgument: JsonObject) => ({
  ExerciseCommand: { templateId, contractId, choice, choiceArgument },
})

async function prepare({ wire }: SimulatorEnvironment, party: string, command: JsonObject): Promise<Prepared> {
  const answer = objectIn(
    await wire.post('/v2/interactive-submission/prepare', {
      commandId: `c-${JSON.stringify(command).length}`,
      commands: [command],
      actAs: [party],
      userId: 'user',
      synchronizerId: '',
      packageIdSelectionPreference: [],
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
  const read = library.decodePreparedTransaction(
    encodePreparedTransaction({ transaction, metadata }).toString('base64'),
  )
  t.match(read, {
    transaction: { version: transaction.version, roots: transaction.roots },
    metadata: {
      transactionUuid: metadata.transactionUuid,
      submitterInfo: { actAs: metadata.submitterInfo.actAs, commandId: metadata.submitterInfo.commandId },
      minLedgerEffectiveTime: String(metadata.minLedgerEffectiveTime),
    },
  })
})

t.test('the public wallet library computes the same multi-hashes of topology transactions', async (t) => {
  const fresh = await onboard((await modelEnvironment(t)).wire, 'p256')
  const recorded = recordedTopology.map((item) => ({
    transactions: item.topologyTransactions,
    multiHash: item.multiHash,
  }))
  for (const { transactions, multiHash } of [...recorded, fresh.topology])
    t.equal(Buffer.from(await multiHashElsewhere(transactions)).toString('base64'), multiHash)
})
