/** Prepared transactions: bytes, hash, and no commit. */
import t, { type Test } from 'tap'
import { decodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import { hashPreparedTransaction } from '../../../interface/prepared-transaction/hash.js'
import type { HashingScheme } from '../../../interface/prepared-transaction/hash-encoding.js'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.js'
import { keyKinds } from '../../../runner/sign/signing-key.js'
import { startSimulator } from '../../../simulator/simulator.js'
import { onboard } from '../../support/ledgers/onboarded-party.js'
import { connectTo } from '../../support/ledgers/simulator-environment.js'
import { stillClock } from '../../support/ledgers/still-clock.js'
import type { Wire } from '../../support/servers/wire.js'

const template = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'

const participant = async (t: Test, protocolVersion: 34 | 35 = 35): Promise<Wire> =>
  connectTo(t, await startSimulator({ protocolVersion, clock: stillClock(), seed: 'prepare' }))

async function post(wire: Wire, path: string, body: JsonObject, status = 200): Promise<JsonObject> {
  const answer = await wire.post(path, body)
  const json = answer.json()
  if (answer.status !== status || !isJsonObject(json)) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return json
}

const create = (initiator: string, responder: string) => ({
  CreateCommand: { templateId: template, createArguments: { id: 'x', initiator, responder } },
})

const request = (party: string, command: JsonObject, more: JsonObject = {}): JsonObject => ({
  commandId: 'c',
  commands: [command],
  actAs: [party],
  synchronizerId: '',
  packageIdSelectionPreference: [],
  userId: 'user',
  ...more,
})

async function prepared(wire: Wire, body: JsonObject, scheme: HashingScheme = 'V2') {
  const answer = await post(wire, '/v2/interactive-submission/prepare', {
    ...body,
    hashingSchemeVersion: `HASHING_SCHEME_VERSION_${scheme}`,
  })
  const transaction = decodePreparedTransaction(Buffer.from(String(answer['preparedTransaction']), 'base64'))
  return { answer, transaction, hash: hashPreparedTransaction(transaction, scheme).toString('base64') }
}

for (const kind of keyKinds) {
  for (const scheme of ['V2', 'V3'] as const) {
    t.test(`prepares a create for a party with a key ${kind}, hashed with ${scheme}`, async (t) => {
      const wire = await participant(t)
      const { party: eve } = await onboard(wire, kind)
      const before = await wire.send({ method: 'GET', path: '/v2/state/ledger-end' })
      const { answer, transaction, hash } = await prepared(wire, request(eve, create(eve, eve)), scheme)
      t.equal(answer['preparedTransactionHash'], hash, 'the hash matches the bytes')
      t.equal(answer['hashingSchemeVersion'], `HASHING_SCHEME_VERSION_${scheme}`)
      const [created] = transaction.transaction.nodes
      t.equal(transaction.transaction.version, '2.1', 'no node has a key')
      t.match(created, { nodeId: '0', node: { kind: 'create', signatories: [eve], contractId: /^00[0-9a-f]{64}$/ } })
      t.match(transaction.metadata, { submitterInfo: { actAs: [eve], commandId: 'c' }, inputContracts: [] })
      const after = await wire.send({ method: 'GET', path: '/v2/state/ledger-end' })
      t.equal(after.text, before.text, 'nothing is committed')
    })
  }
}

t.test('an exercise contains its input contract with the blob', async (t) => {
  const wire = await participant(t)
  const { party: eve } = await onboard(wire, 'ed25519')
  const { partyDetails } = await post(wire, '/v2/parties', { partyIdHint: 'alice', identityProviderId: '' })
  const alice = isJsonObject(partyDetails) ? String(partyDetails['party']) : ''
  const body = { ...request(alice, create(alice, eve)), commandId: 'ping' }
  await post(wire, '/v2/commands/submit-and-wait', body)
  const { offset } = (await wire.send({ method: 'GET', path: '/v2/state/ledger-end' })).json() as JsonObject // always an object
  const active = await wire.post('/v2/state/active-contracts', {
    activeAtOffset: offset ?? 0,
    eventFormat: { filtersByParty: { [eve]: {} }, verbose: true },
  })
  const contractId = /"contractId":"([0-9a-f]+)"/.exec(active.text)?.[1] ?? ''
  const exercise = { ExerciseCommand: { templateId: template, contractId, choice: 'Respond', choiceArgument: {} } }
  const { answer, transaction, hash } = await prepared(wire, request(eve, exercise))
  t.equal(answer['preparedTransactionHash'], hash)
  const root = transaction.transaction.nodes.at(-1)
  t.match(root, { nodeId: '0', node: { kind: 'exercise', contractId, choiceId: 'Respond', actingParties: [eve] } })
  const [input, ...more] = transaction.metadata.inputContracts
  t.equal(input?.contract.contractId, contractId)
  t.ok(input?.eventBlob.includes(Buffer.from(contractId, 'hex')), 'the blob of the contract')
  t.strictSame(more, [])
})

t.test('CreateAndExercise has two roots', async (t) => {
  const wire = await participant(t)
  const { party: eve } = await onboard(wire, 'ed25519')
  const { createArguments } = create(eve, eve).CreateCommand
  const command = { templateId: template, createArguments, choice: 'Respond', choiceArgument: {} }
  const { answer, transaction, hash } = await prepared(wire, request(eve, { CreateAndExerciseCommand: command }))
  t.equal(answer['preparedTransactionHash'], hash)
  t.strictSame(transaction.transaction.roots, ['0', '1'])
  const [created, exercised] = transaction.transaction.nodes.map(({ node }) => node)
  t.match([created?.kind, exercised?.kind], ['create', 'exercise'])
  t.strictSame(transaction.metadata.inputContracts, [], 'the created contract is not an input')
})

t.test('rejects commands that cannot be prepared', async (t) => {
  const wire = await participant(t, 34)
  const { party: eve } = await onboard(wire, 'p256')
  const command = create(eve, eve)
  const refused = async (body: JsonObject, code: string) =>
    t.match(await post(wire, '/v2/interactive-submission/prepare', body, 400), { code, correlationId: null })
  const scheme = 'HASHING_SCHEME_VERSION_V3'
  await refused(request(eve, command, { hashingSchemeVersion: scheme }), 'FAILED_TO_PREPARE_TRANSACTION')
  await refused(request(eve, command, { commands: [command, command] }), 'FAILED_TO_PREPARE_TRANSACTION')
  await refused(request(eve, command, { commands: [] }), 'MISSING_FIELD')
})

t.test('answers a request for hashing details', async (t) => {
  const wire = await participant(t)
  const { party: eve } = await onboard(wire, 'ed25519')
  const details = async (more: JsonObject) =>
    (await post(wire, '/v2/interactive-submission/prepare', request(eve, create(eve, eve), more)))['hashingDetails']
  const notice = 'Verbose hashing is disabled on this participant. Contact the node administrator for more details.'
  t.equal(await details({ verboseHashing: true }), notice)
  t.equal(await details({ verboseHashing: false }), null)
  t.equal(await details({}), null)
})
