/** The public wallet SDK, unmodified, against the simulator: the first functions of a wallet. */
import { readFileSync } from 'node:fs'
import { CustomLogAdapter, SDK } from '@canton-network/wallet-sdk'
import { SignJWT } from 'jose'
import t from 'tap'
import { WebSocket } from 'undici'
import { startSimulator } from '../../../dist/simulator/simulator.js'

// Node 20 has no global WebSocket.
globalThis.WebSocket ??= WebSocket

const secret = 'a secret of thirty-two bytes and more'
const ping = '#canton-builtin-admin-workflow-ping:Canton.Internal.Ping:Ping'
const owned = '#conformance-model:Conformance:Guarded'

/** A participant with authorization, and a wallet with the token of the administrator. */
async function connect() {
  const simulator = await startSimulator({ authorization: `hs256:${secret}` })
  const exp = Math.floor(Date.now() / 1000) + 200
  const token = await new SignJWT({ sub: 'participant_admin', scope: 'daml_ledger_api', exp })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret))
  const wallet = await SDK.create({
    auth: { method: 'static', token },
    ledgerClientUrl: simulator.url,
    logAdapter: new CustomLogAdapter(() => undefined),
  })
  return { simulator, wallet }
}

const { simulator, wallet } = await connect()
t.teardown(() => simulator.close())
const key = wallet.keys.generate()
const { partyId } = await wallet.party.external
  .create(key.publicKey, { partyHint: 'eve' })
  .sign(key.privateKey)
  .execute()

const perform = async (commands, privateKey = key.privateKey) =>
  await wallet.ledger.prepare({ partyId, commands }).sign(privateKey).execute({ partyId })

/** Contracts of a template with the party as a stakeholder. */
const read = async (templateId, more = {}) =>
  await wallet.ledger.acs.read({ parties: [partyId], filterByParty: true, templateIds: [templateId], ...more })

t.test('the party id contains the key fingerprint, and the user may act for the party', async (t) => {
  t.equal(partyId, `eve::${await wallet.keys.fingerprint(key.publicKey)}`)
  t.strictSame(await wallet.party.list(), [partyId])
})

t.test('a contract is prepared, checked, signed, executed, read and archived', async (t) => {
  const commands = wallet.utils.ping.create([{ initiator: partyId, responder: partyId, id: 'hello' }])
  const prepared = wallet.ledger.prepare({ partyId, commands })
  const { response } = await prepared.toJSON()
  const ownHash = await wallet.utils.hash.preparedTransaction(response.preparedTransaction)
  t.equal(ownHash.toBase64(), response.preparedTransactionHash, 'the wallet computes the same hash')
  t.match(await prepared.decode(), { metadata: { submitterInfo: { actAs: [partyId] } } })
  const { updateId, completionOffset } = await prepared.sign(key.privateKey).execute({ partyId })
  t.match(updateId, /^1220[0-9a-f]{64}$/)

  const [contract, ...others] = await read(ping)
  t.strictSame(others, [])
  t.match(contract, {
    offset: completionOffset,
    createArgument: { id: 'hello', initiator: partyId, responder: partyId },
    signatories: [partyId],
    createdEventBlob: /^[\w+/]+=*$/,
  })
  const { contractId } = contract
  await perform({ ExerciseCommand: { templateId: ping, contractId, choice: 'Respond', choiceArgument: {} } })
  t.strictSame(await read(ping), [], 'archived')
  t.equal((await read(ping, { offset: completionOffset })).length, 1, 'active at the earlier offset')
})

t.test('a signature of another key is rejected with a reason', async (t) => {
  const commands = wallet.utils.ping.create([{ initiator: partyId, responder: partyId }])
  const otherKey = wallet.keys.generate()
  await t.rejects(perform(commands, otherKey.privateKey), {
    code: 'FAILED_TO_EXECUTE_TRANSACTION',
    cause: /0 valid signatures/,
    errorCategory: 8,
  })
  t.strictSame(await read(ping), [])
})

t.test('a package is uploaded, and contracts of its templates are read, also from updates', async (t) => {
  const dar = readFileSync(new URL('../../../model/packages/conformance-model-1.0.0.dar', import.meta.url))
  const [, id] = /conformance-model-1\.0\.0-([0-9a-f]{64})\.dalf/.exec(dar.toString('latin1')) ?? []
  t.notOk(await wallet.ledger.dar.check(id))
  await wallet.ledger.dar.upload(dar, id)
  t.ok(await wallet.ledger.dar.check(id))
  for (const amount of ['1', '2']) {
    await perform({ CreateCommand: { templateId: owned, createArguments: { owner: partyId, amount } } })
  }
  const amounts = (contracts) => contracts.map(({ createArgument }) => createArgument.amount)
  t.strictSame(amounts(await read(owned)), ['1', '2'])
  t.strictSame(amounts(await read(owned, { limit: 1 })), ['1'])
  t.strictSame(amounts(await read(owned, { continueUntilCompletion: true, limit: 1 })), ['1', '2'])
})

t.test('internal parties and users are created', async (t) => {
  const bob = await wallet.party.internal.allocate({ partyHint: 'bob' })
  t.equal(await wallet.party.internal.allocate({ partyHint: 'bob' }), bob, 'allocated once')
  const commands = wallet.utils.ping.create([{ initiator: bob, responder: partyId }])
  t.match(await wallet.ledger.internal.submit({ commands, actAs: [bob] }), { updateId: /^1220/ })
  t.match(await read(ping), [{ signatories: [bob], observers: [partyId] }])
  const user = await wallet.user.create({ userId: 'ann', primaryParty: bob, userRights: { actAs: [bob] } })
  t.match(user, { id: 'ann', primaryParty: bob })
  t.match(await wallet.user.list(), { users: [{ id: 'ann' }, { id: 'participant_admin' }] })
})

/** The configuration of its README. */
const auth = {
  method: 'self_signed',
  issuer: 'unsafe-auth',
  credentials: {
    clientId: 'ledger-api-user',
    clientSecret: 'unsafe',
    audience: 'https://canton.network.global',
    scope: '',
  },
}

t.test('the wallet works with the configuration of its README and receives events', async (t) => {
  const manual = readFileSync(new URL('./node_modules/@canton-network/wallet-sdk/README.md', import.meta.url), 'utf8')
  const { credentials, ...others } = auth
  for (const [name, value] of Object.entries({ ...others, ...credentials }))
    t.match(manual, `${name}: '${value}'`, 'the README')
  const open = await startSimulator({ users: [{ id: auth.credentials.clientId }] })
  t.teardown(() => open.close())
  const events = { auth, websocketURL: open.url.replace('http', 'ws') }
  const logAdapter = new CustomLogAdapter(() => undefined)
  const own = await SDK.create({ auth, ledgerClientUrl: open.url, logAdapter, events })
  const pair = own.keys.generate()
  const created = own.party.external.create(pair.publicKey, { partyHint: 'ann' })
  const { partyId: ann } = await created.sign(pair.privateKey).execute()
  const updates = own.events.updates({ partyId: ann, templateIds: [ping] })
  const completions = own.events.completions({ parties: [ann] })
  for (const id of ['first', 'second']) {
    const next = Promise.all([updates.next(), completions.next()])
    const commands = own.utils.ping.create([{ initiator: ann, responder: ann, id }])
    const prepared = own.ledger.prepare({ partyId: ann, commands })
    const { updateId } = await prepared.sign(pair.privateKey).execute({ partyId: ann })
    const [update, completion] = await next
    const seen = update.value.update.Transaction.value
    t.match(seen, { updateId, events: [{ CreatedEvent: { createArgument: { id } } }] })
    t.equal(completion.value.completionResponse.Completion.value.updateId, updateId)
  }
  for (const stream of [updates, completions]) await stream.return()
})
