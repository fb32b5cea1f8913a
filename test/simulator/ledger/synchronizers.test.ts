/** Participants on two synchronizers and on none. */
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { decodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import { startSimulator } from '../../../simulator/simulator.js'
import {
  createdContract,
  objectIn,
  ping,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
  textAt,
} from '../../support/ledgers/simulator-environment.js'
import { connect, type Wire, type WireAnswer } from '../../support/servers/wire.js'

const updatePath = '/v2/package-vetting/update'
const listPath = '/v2/package-vetting/list'
const otherParticipant = `other::1220${'ab'.repeat(32)}`
const dar = readFileSync(new URL('../../../../model/packages/conformance-model-1.0.0.dar', import.meta.url))
const model = 'conformance-model'

const codeOf = (answer: WireAnswer): [number, JsonValue] => [answer.status, objectIn(answer)['code'] ?? null]
const get = (wire: Wire, path: string): Promise<WireAnswer> => wire.send({ method: 'GET', path })
const items = (value: JsonValue | undefined): JsonObject[] => [value ?? []].flat() as JsonObject[] // lists of objects, in these answers

async function two(
  t: Test,
  protocolVersion: 34 | 35 = 35,
): Promise<SimulatorEnvironment & { first: string; second: string }> {
  const environment = await simulatorEnvironment(t, { synchronizers: 2, protocolVersion })
  const [first = '', second = ''] = environment.synchronizers
  return { ...environment, first, second }
}

async function none(t: Test): Promise<Wire> {
  const simulator = await startSimulator({ synchronizers: 0 })
  const wire = connect(simulator.url)
  t.teardown(async () => {
    await wire.close()
    await simulator.close()
  })
  return wire
}

async function vetted(wire: Wire, topologyStateFilter: JsonObject = {}): Promise<Record<string, JsonValue>> {
  const { vettedPackages } = objectIn(await wire.post(listPath, { topologyStateFilter }))
  return Object.fromEntries(
    items(vettedPackages).map(({ synchronizerId, topologySerial, packages }) => [
      String(synchronizerId),
      [topologySerial ?? null, ...items(packages).map(({ packageName }) => packageName ?? null)],
    ]),
  )
}

const builtIn = 'canton-builtin-admin-workflow-ping'
const unvetPing = { changes: [{ operation: { Unvet: { value: { packages: [{ packageName: builtIn }] } } } }] }

t.test('a vetting update names one of several synchronizers and changes only that one', async (t) => {
  const { wire, first, second, submission, alice } = await two(t)
  for (const body of [{}, { changes: [] }, { ...unvetPing, dryRun: true }, { synchronizerId: '' }]) {
    t.strictSame(codeOf(await wire.post(updatePath, body)), [400, 'PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER'])
  }
  const foreign = codeOf(await wire.post(updatePath, { synchronizerId: otherParticipant }))
  t.strictSame(foreign, [400, 'PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER'])
  const changed = objectIn(await wire.post(updatePath, { ...unvetPing, synchronizerId: first }))
  t.match(changed, { pastVettedPackages: { synchronizerId: first, topologySerial: 1 } })
  t.match(changed, { newVettedPackages: { synchronizerId: first, topologySerial: 2, packages: [] } })
  t.strictSame(await vetted(wire), { [second]: [1, builtIn] }, 'a synchronizer without vetted packages is not listed')
  t.strictSame(await vetted(wire, { synchronizerIds: [second] }), { [second]: [1, builtIn] })
  const { updateId } = objectIn(await wire.post(submitPath, submission()))
  const update = await wire.post('/v2/updates/update-by-id', {
    updateId,
    updateFormat: {
      includeTransactions: { eventFormat: { filtersByParty: { [alice]: {} } }, transactionShape: shape },
    },
  })
  t.match(update.text, `"synchronizerId":"${second}"`, 'the command goes to the synchronizer that vets the package')
  const pinned = codeOf(await wire.post(submitPath, submission({ synchronizerId: first })))
  t.strictSame(pinned, [400, 'JSON_API_PACKAGE_SELECTION_FAILED'])
  const twice = await wire.post(updatePath, { ...unvetPing, synchronizerId: second, expectedTopologySerial: prior(2) })
  t.strictSame(codeOf(twice), [400, 'TOPOLOGY_SERIAL_MISMATCH'], 'each synchronizer has its own serial')
})

const shape = 'TRANSACTION_SHAPE_LEDGER_EFFECTS'
const prior = (value: number) => ({ serial: { Prior: { value } } })

t.test('an upload vets on one synchronizer or on none', async (t) => {
  const { wire, first, second } = await two(t)
  const upload = (query: string) => wire.send({ path: `/v2/dars${query}`, body: dar })
  const validate = (query: string) => wire.send({ path: `/v2/dars/validate${query}`, body: dar })
  for (const send of [upload, validate]) {
    t.strictSame(codeOf(await send('')), [400, 'PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER'])
    const foreign = codeOf(await send(`?synchronizerId=${otherParticipant}`))
    t.strictSame(foreign, [400, 'PACKAGE_SERVICE_NOT_CONNECTED_TO_SYNCHRONIZER'])
    t.strictSame(codeOf(await send('?synchronizerId=bad')), [400, 'PROTO_DESERIALIZATION_FAILURE'])
  }
  t.equal((await validate(`?synchronizerId=${first}`)).status, 200)
  t.strictSame(await vetted(wire), { [first]: [1, builtIn], [second]: [1, builtIn] })
  t.equal((await upload('?vetAllPackages=false')).status, 200)
  t.strictSame(await vetted(wire), { [first]: [1, builtIn], [second]: [1, builtIn] })
  t.equal((await upload(`?synchronizerId=${second}`)).status, 200)
  t.strictSame(await vetted(wire), { [first]: [1, builtIn], [second]: [2, builtIn, model] })
})

t.test('each allocation hosts a party on one synchronizer', async (t) => {
  const { wire, first, second } = await two(t)
  const allocate = (body: JsonObject) => wire.post('/v2/parties', { partyIdHint: 'zoe', ...body })
  const open = await allocate({})
  t.strictSame(codeOf(open), [400, 'PARTY_ALLOCATION_CANNOT_DETERMINE_SYNCHRONIZER'])
  t.match(objectIn(open), { context: { partyId: /^zoe::1220[0-9a-f]{64}$/ } })
  t.strictSame(codeOf(await allocate({ synchronizerId: otherParticipant })), [400, 'NOT_CONNECTED_TO_SYNCHRONIZER'])
  t.strictSame(codeOf(await allocate({ synchronizerId: 'bad' })), [400, 'INVALID_FIELD'])
  t.equal((await allocate({ synchronizerId: null })).status, 400)
  const version = (answer: WireAnswer) => (objectIn(answer)['partyDetails'] as JsonObject)['localMetadata'] // an object, as it was accepted
  const once = await allocate({ synchronizerId: first })
  const zoe = textAt(objectIn(once)['partyDetails'], 'party')
  t.match(version(once), { resourceVersion: '0' })
  const where = async (query: string): Promise<JsonObject[]> =>
    items(objectIn(await get(wire, `/v2/state/connected-synchronizers${query}`))['connectedSynchronizers'])
  const submits = { synchronizerAlias: 'synchronizer-1', synchronizerId: first, permission: `${permission}SUBMISSION` }
  t.strictSame(await where(`?party=${zoe}`), [submits])
  t.strictSame(codeOf(await allocate({ synchronizerId: first })), [400, 'INVALID_ARGUMENT'])
  t.match(version(await allocate({ synchronizerId: second })), { resourceVersion: '1' })
  t.match(objectIn(await get(wire, `/v2/parties/${zoe}`)), {
    partyDetails: [{ localMetadata: { resourceVersion: '1' } }],
  })
  t.strictSame((await where(`?party=${zoe}`)).length, 2)
  t.strictSame(await where(`?party=${zoe}&participantId=${otherParticipant}`), [])
  t.strictSame(await where(`?party=${otherParticipant}`), [])
  t.match(await where(''), [{ permission: `${permission}UNSPECIFIED` }, { synchronizerAlias: 'synchronizer-2' }])
  t.strictSame(codeOf(await get(wire, '/v2/state/connected-synchronizers?party=a%00')), [400, 'INVALID_ARGUMENT'])
})

const permission = 'PARTICIPANT_PERMISSION_'

t.test('a contract that another synchronizer used is reported there', async (t) => {
  const { wire, first, second, submission, alice } = await two(t)
  const { contractId } = await createdContract(
    { wire, alice } as SimulatorEnvironment,
    submission({ synchronizerId: first }),
  ) // all that it needs
  const active = async () => {
    const { offset } = objectIn(await get(wire, '/v2/state/ledger-end'))
    const eventFormat = { filtersByParty: { [alice]: {} }, verbose: true }
    const { text } = await wire.post('/v2/state/active-contracts', { activeAtOffset: offset, eventFormat })
    return /"synchronizerId":"([^"]+)","reassignmentCounter":(\d+)/.exec(text)?.slice(1)
  }
  t.strictSame(await active(), [first, '0'])
  const read = { templateId: ping, contractId, choice: 'Archive', choiceArgument: {} }
  const failing = {
    CreateCommand: { templateId: ping, createArguments: { id: 'x', initiator: otherParticipant, responder: alice } },
  }
  const refused = submission({ commands: [{ ExerciseCommand: read }, failing], synchronizerId: second })
  t.strictSame(codeOf(await wire.post(submitPath, refused)), [400, 'DAML_AUTHORIZATION_ERROR'])
  t.strictSame(await active(), [first, '0'], 'a rejected submission reassigns no contract')
  const used = submission({ commands: [{ ExerciseCommand: read }], synchronizerId: second })
  t.equal((await wire.post(submitPath, used)).status, 200)
  const { text } = await wire.post('/v2/events/events-by-contract-id', {
    contractId,
    eventFormat: { filtersByParty: { [alice]: {} } },
  })
  t.match(text, `"archivedEvent"`)
  t.strictSame(
    [...text.matchAll(/"synchronizerId":"([^"]+)"/g)].map(([, id]) => id),
    [first, second],
  )
})

for (const protocolVersion of [34, 35] as const) {
  t.test(`an external party acts on the synchronizer that hosts it, version ${protocolVersion}`, async (t) => {
    const { wire, first, second } = await two(t, protocolVersion)
    const key = makeSigningKey('ed25519')
    const generate = (synchronizer: string) =>
      wire.post('/v2/parties/external/generate-topology', {
        synchronizer,
        partyHint: 'eve',
        publicKey: key.publicKey,
      })
    for (const id of ['', 'bad', otherParticipant]) t.strictSame(codeOf(await generate(id)), [400, 'INVALID_ARGUMENT'])
    const topology = objectIn(await generate(second))
    const allocate = (synchronizer: string) =>
      wire.post('/v2/parties/external/allocate', {
        synchronizer,
        onboardingTransactions: [{ transaction: [topology['topologyTransactions'] ?? ''].flat()[0] ?? '' }],
        multiHashSignatures: [key.sign(Buffer.from(textAt(topology, 'multiHash'), 'base64'))],
      })
    t.strictSame(codeOf(await allocate('bad')), [400, 'INVALID_FIELD'])
    t.strictSame(codeOf(await allocate(otherParticipant)), [400, 'INVALID_ARGUMENT'])
    const eve = textAt(objectIn(await allocate(`${second}::${protocolVersion}-0`)), 'partyId')
    const hosting = await get(wire, `/v2/state/connected-synchronizers?party=${eve}`)
    t.match(objectIn(hosting), {
      connectedSynchronizers: [{ synchronizerId: second, permission: `${permission}CONFIRMATION` }],
    })
    const createArguments = { id: 'x', initiator: eve, responder: eve }
    const prepare = (synchronizerId: string) =>
      wire.post('/v2/interactive-submission/prepare', {
        commandId: 'c',
        commands: [{ CreateCommand: { templateId: ping, createArguments } }],
        actAs: [eve],
        synchronizerId,
        packageIdSelectionPreference: [],
        userId: 'user',
      })
    t.strictSame(codeOf(await prepare(first)), [400, 'INVALID_PRESCRIBED_SYNCHRONIZER_ID'])
    const prepared = objectIn(await prepare(''))
    const preparedTransaction = textAt(prepared, 'preparedTransaction')
    const { metadata } = decodePreparedTransaction(Buffer.from(preparedTransaction, 'base64'))
    t.equal(metadata.synchronizerId, protocolVersion === 34 ? second : `${second}::35-0`)
    const executed = await wire.post('/v2/interactive-submission/executeAndWaitForTransaction', {
      preparedTransaction,
      partySignatures: {
        signatures: [{ party: eve, signatures: [key.sign(hashIn(prepared))] }],
      },
      deduplicationPeriod: { Empty: {} },
      submissionId: 's',
      hashingSchemeVersion: 'HASHING_SCHEME_VERSION_V2',
      userId: 'user',
    })
    t.match(objectIn(executed), { transaction: { synchronizerId: second } })
  })
}

const hashIn = (prepared: JsonObject): Buffer => Buffer.from(textAt(prepared, 'preparedTransactionHash'), 'base64')

t.test('a participant without a synchronizer rejects submissions and allocations', async (t) => {
  const wire = await none(t)
  t.match(await get(wire, '/readyz'), { status: 503, text: /NOT_SERVING/ })
  t.match(await get(wire, '/livez'), { status: 200, text: '' })
  t.strictSame(objectIn(await get(wire, '/v2/state/connected-synchronizers')), { connectedSynchronizers: [] })
  t.strictSame(objectIn(await wire.post(listPath, {})), { vettedPackages: [], nextPageToken: '' })
  const party = `x::1220${'ab'.repeat(32)}`
  const byId = `de2cc2f90eb523414ff54e899951dadd8789a4c07e0f71f6d6c9eaf57d412a54:${ping.split(':').slice(1).join(':')}`
  for (const templateId of [ping, byId]) {
    const createArguments = { id: 'x', initiator: party, responder: party }
    const command = { commands: [{ CreateCommand: { templateId, createArguments } }], commandId: 'c', actAs: [party] }
    const body = { ...command, userId: 'user', packageIdSelectionPreference: [], synchronizerId: '' }
    for (const path of [submitPath, '/v2/interactive-submission/prepare']) {
      t.strictSame(
        codeOf(await wire.post(path, body)),
        [400, 'NOT_CONNECTED_TO_ANY_SYNCHRONIZER'],
        `${path} ${templateId}`,
      )
    }
  }
  const allocated = await wire.post('/v2/parties', { partyIdHint: 'x' })
  t.strictSame(codeOf(allocated), [400, 'PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER'])
  const vetting = codeOf(await wire.send({ path: '/v2/dars', body: dar }))
  t.strictSame(vetting, [400, 'PACKAGE_SERVICE_CANNOT_AUTODETECT_SYNCHRONIZER'])
  t.equal((await wire.send({ path: '/v2/dars?vetAllPackages=false', body: dar })).status, 200)
  const { packageIds } = objectIn(await get(wire, '/v2/packages'))
  t.equal(items(packageIds).length, 2, 'it is held all the same')
  t.strictSame(objectIn(await get(wire, '/v2/state/ledger-end')), { offset: 0 })
})
