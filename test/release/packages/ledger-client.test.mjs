/** The public clients for operations and streams of the JSON Ledger API, unmodified, against the simulator: the functions of a service. */
import { readFileSync } from 'node:fs'
import { WebSocketClient } from '@canton-network/core-asyncapi-client'
import { awaitCompletion, isJsCantonError, LedgerClient } from '@canton-network/core-ledger-client'
import { createKeyPair, signTransactionHash } from '@canton-network/core-signing-lib'
import { SignJWT } from 'jose'
import t from 'tap'
import { WebSocket } from 'undici'
import { startSimulator } from '../../../dist/simulator/simulator.js'

// Node 20 has no global WebSocket.
globalThis.WebSocket ??= WebSocket

const secret = 'a secret of thirty-two bytes and more'
const note = '#conformance-model:Conformance:Note'
const silent = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, () => undefined]))
const logger = { ...silent, child: () => logger }

/** A token provider of the clients. */
async function tokensOf(sub) {
  const exp = Math.floor(Date.now() / 1000) + 200
  const token = await new SignJWT({ sub, scope: 'daml_ledger_api', exp })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))
  return { getAccessToken: async () => token, getAuthContext: async () => ({ userId: sub, accessToken: token }) }
}

const simulator = await startSimulator({ authorization: `hs256:${secret}` })
t.teardown(() => simulator.close())
const clientOf = async (sub) =>
  new LedgerClient({ baseUrl: new URL(simulator.url), logger, accessTokenProvider: await tokensOf(sub) })
const streamsOf = async (sub) =>
  new WebSocketClient({ baseUrl: simulator.url.replace('http', 'ws'), accessTokenProvider: await tokensOf(sub) })
const administrator = await clientOf('participant_admin')

const dar = readFileSync(new URL('../../../model/packages/conformance-model-1.0.0.dar', import.meta.url))
await administrator.postWithRetry('/v2/dars', dar, undefined, undefined, {
  bodySerializer: (bytes) => bytes,
  headers: { 'content-type': 'application/octet-stream' },
})
const allocated = await administrator.postWithRetry('/v2/parties', { partyIdHint: 'shop', identityProviderId: '' })
const { party: shop } = allocated.partyDetails
await administrator.createUser('service', shop)
/** Without the default delay of two seconds. */
const grant = async (party) => await administrator.waitForPartyAndGrantUserRights('service', party, 30, 1)
await grant(shop)
const service = await clientOf('service')

const create = (commandId, text) => ({
  ...{ commandId, actAs: [shop], userId: 'service' },
  commands: [{ CreateCommand: { templateId: note, createArguments: { author: shop, readers: [], text } } }],
})
const ledgerEnd = async () => (await service.getWithRetry('/v2/state/ledger-end')).offset

t.test('the client reads the version, parties and users', async (t) => {
  t.equal(service.getCurrentClientVersion(), '3.5')
  t.ok(await service.checkIfPartyExists(shop))
  t.notOk(await administrator.checkIfPartyExists('nobody::1220'))
  const rights = await administrator.grantRights('service', { readAs: [shop] })
  t.match(rights, { newlyGrantedRights: [{ kind: { CanReadAs: { value: { party: shop } } } }] })
})

t.test('the client recognises errors', async (t) => {
  await service.postWithRetry('/v2/commands/submit-and-wait', create('first', 'a'))
  const repeated = service.postWithRetry('/v2/commands/submit-and-wait', create('first', 'a'))
  const error = await repeated.catch((reason) => reason)
  t.ok(isJsCantonError(error))
  t.match(error, { code: 'DUPLICATE_COMMAND' })
})

t.test('an external party is allocated, and its transaction has a completion', async (t) => {
  const key = createKeyPair()
  const synchronizerId = await administrator.getSynchronizerId()
  const topology = await administrator.generateTopology(synchronizerId, key.publicKey, 'eve')
  const signatureBy = (hash) => ({
    ...{ format: 'SIGNATURE_FORMAT_CONCAT', signingAlgorithmSpec: 'SIGNING_ALGORITHM_SPEC_ED25519' },
    ...{ signature: signTransactionHash(hash, key.privateKey), signedBy: topology.publicKeyFingerprint },
  })
  const transactions = topology.topologyTransactions.map((transaction) => ({ transaction }))
  const { partyId } = await administrator.allocateExternalParty(synchronizerId, transactions, [
    signatureBy(topology.multiHash),
  ])
  await grant(partyId)
  const begin = await ledgerEnd()
  const prepared = await service.postWithRetry('/v2/interactive-submission/prepare', {
    ...create('signed', 'b'),
    ...{ actAs: [partyId], synchronizerId, packageIdSelectionPreference: [] },
    commands: [{ CreateCommand: { templateId: note, createArguments: { author: partyId, readers: [], text: 'b' } } }],
  })
  await service.postWithRetry('/v2/interactive-submission/execute', {
    ...{ userId: 'service', submissionId: 'execution', deduplicationPeriod: { Empty: {} } },
    preparedTransaction: prepared.preparedTransaction,
    hashingSchemeVersion: prepared.hashingSchemeVersion,
    partySignatures: {
      signatures: [{ party: partyId, signatures: [signatureBy(prepared.preparedTransactionHash)] }],
    },
  })
  const { commandId, updateId } = await awaitCompletion(service, begin, partyId, 'service', 'execution')
  t.equal(commandId, 'signed')
  t.match(updateId, /^1220/)
})

t.test('streams send earlier and new transactions', async (t) => {
  const streams = await streamsOf('service')
  const beginExclusive = await ledgerEnd()
  const updates = streams.streamUpdates({ beginExclusive, partyId: shop, templateIds: [note] })
  const completions = streams.streamCompletions({ beginExclusive, userId: 'service', parties: [shop] })
  for (const commandId of ['one', 'two']) {
    await service.postWithRetry('/v2/commands/submit-and-wait', create(commandId, commandId))
    const { value: shown } = await updates.next()
    t.match(shown.update.Transaction.value, {
      commandId,
      events: [{ CreatedEvent: { createArgument: { text: commandId } } }],
    })
    const { value } = await completions.next()
    t.match(value.completionResponse.Completion.value, { commandId, status: { code: 0 } })
  }
  for (const stream of [updates, completions]) await stream.return()
  const until = { beginExclusive, endInclusive: await ledgerEnd(), partyId: shop, templateIds: [note] }
  const earlier = []
  for await (const { update } of streams.streamUpdates(until)) earlier.push(update.Transaction.value.commandId)
  t.strictSame(earlier, ['one', 'two'])
})

t.test('a stream of another party returns an error and closes', async (t) => {
  const streams = await streamsOf('service')
  const messages = []
  for await (const message of streams.streamCompletions({ beginExclusive: 0, userId: 'service', parties: ['x::1220'] }))
    messages.push(message)
  t.match(messages, [{ grpcCodeValue: 7 }])
  t.equal(messages.length, 1)
})
