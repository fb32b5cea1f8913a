/** Uploads, contracts and external parties of a participant on two synchronizers. */
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { decodePreparedTransaction } from '../../../interface/prepared-transaction/codec.js'
import type { JsonObject, JsonValue } from '../../../lib/json/json.js'
import { makeSigningKey } from '../../../runner/sign/signing-key.js'
import {
  createdContract,
  objectIn,
  ping,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
  textAt,
} from '../../support/ledgers/simulator-environment.js'
import type { Wire, WireAnswer } from '../../support/servers/wire.js'

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

async function vetted(wire: Wire): Promise<Record<string, JsonValue>> {
  const { vettedPackages } = objectIn(await wire.post('/v2/package-vetting/list', {}))
  return Object.fromEntries(
    items(vettedPackages).map(({ synchronizerId, topologySerial, packages }) => [
      String(synchronizerId),
      [topologySerial ?? null, ...items(packages).map(({ packageName }) => packageName ?? null)],
    ]),
  )
}

const builtIn = 'canton-builtin-admin-workflow-ping'

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
      connectedSynchronizers: [{ synchronizerId: second, permission: 'PARTICIPANT_PERMISSION_CONFIRMATION' }],
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
