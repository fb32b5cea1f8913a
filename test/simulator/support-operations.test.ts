/** Parties and users as they are listed and changed, and who may read what. */
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { objectIn, type SimulatorEnvironment, simulatorEnvironment } from '../support/ledgers/simulator-environment.js'
import type { WireAnswer } from '../support/servers/wire.js'
import { codeOf, objects, only, wildcard } from '../support/suites/reading.js'

const get = async ({ wire }: SimulatorEnvironment, path: string): Promise<WireAnswer> =>
  await wire.send({ method: 'GET', path })
const patch = async ({ wire }: SimulatorEnvironment, path: string, body: JsonObject): Promise<WireAnswer> =>
  await wire.send({ method: 'PATCH', path, body: JSON.stringify(body) })

/** The names on every page, as long as there are more. */
async function pages(
  environment: SimulatorEnvironment,
  path: string,
  member: string,
  name: string,
): Promise<JsonValue[][]> {
  const found: JsonValue[][] = []
  for (let token: JsonValue | undefined; token !== '' && found.length < 9; ) {
    const page = objectIn(await get(environment, `${path}&pageToken=${String(token ?? '')}`))
    found.push(objects(page[member] ?? null).map((item) => item[name] ?? null))
    token = page['nextPageToken'] ?? null
  }
  return found
}

t.test('parties, one by one and in pages', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { wire, alice, bob } = environment
  for (const partyIdHint of ['carol', 'amy']) await wire.post('/v2/parties', { partyIdHint })
  const here = (hint: string) => `${hint}::${alice.split('::')[1]}`
  const all = ['alice', 'amy', 'bob', 'carol'].map(here)
  t.strictSame(await pages(environment, '/v2/parties?pageSize=3', 'partyDetails', 'party'), [
    all.slice(0, 3),
    all.slice(3),
  ])
  t.strictSame(await pages(environment, '/v2/parties?pageSize=4', 'partyDetails', 'party'), [all])
  t.strictSame(await pages(environment, '/v2/parties?filter-party=a', 'partyDetails', 'party'), [all.slice(0, 2)])
  t.match(objectIn(await get(environment, '/v2/parties')), { partyDetails: [{ isLocal: true }], nextPageToken: '' })
  t.equal(codeOf(await get(environment, '/v2/parties?pageSize=-1')), '400 INVALID_ARGUMENT')
  t.equal(codeOf(await get(environment, '/v2/parties?pageToken=!')), '400 INVALID_ARGUMENT')
  t.equal(codeOf(await get(environment, '/v2/parties?pageSize=x')), '400 Invalid value for: query parameter pageSize')
  const several = await get(
    environment,
    `/v2/parties/${encodeURIComponent(bob)}?parties=${alice}&parties=zoe&parties=${bob}`,
  )
  t.match(objectIn(several), { partyDetails: [{ party: bob }, { party: alice }] })
  t.equal(objects(objectIn(several)['partyDetails'] ?? null).length, 2)
})

t.test('users in pages, and changed', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { wire } = environment
  for (const id of ['ann', 'zed']) await wire.post('/v2/users', { user: { id } })
  const listed = await pages(environment, '/v2/users?pageSize=2', 'users', 'id')
  t.strictSame(listed, [['ann', 'participant_admin'], ['zed']])
  const update = async (user: JsonObject, paths: string[], id = 'ann') =>
    await patch(environment, `/v2/users/${id}`, { user, updateMask: { paths } })
  const changed = { id: 'ann', isDeactivated: true, primaryParty: 'p', metadata: { annotations: { a: 'b' } } }
  t.match(objectIn(await update(changed, ['is_deactivated'])), { user: { isDeactivated: true, primaryParty: '' } })
  const rest = { primaryParty: 'p', metadata: { annotations: { a: 'b' } } }
  t.match(objectIn(await update(changed, ['primary_party', 'metadata.annotations'])), { user: rest })
  t.match(objectIn(await get(environment, '/v2/users/ann')), { user: { ...rest, isDeactivated: true } })
  t.equal(codeOf(await update(changed, [])), '400 INVALID_USER_UPDATE_REQUEST')
  t.equal(codeOf(await update(changed, ['is_deactivated', 'id'])), '400 INVALID_USER_UPDATE_REQUEST')
  t.equal(codeOf(await update({ id: 'zed' }, ['is_deactivated'])), '400 INVALID_ARGUMENT', 'two users are named')
  t.equal(codeOf(await update({ id: 'nobody' }, ['is_deactivated'], 'nobody')), '404 USER_NOT_FOUND')
  for (const grant of [
    wire.post('/v2/users/ann/rights', { userId: 'zed', rights: [] }),
    patch(environment, '/v2/users/ann/rights', { userId: 'zed', rights: [] }),
  ]) {
    t.equal(codeOf(await grant), '400 INVALID_ARGUMENT')
  }
})

t.test('the interface description can be read by everybody', async (t) => {
  const environment = await simulatorEnvironment(t)
  const { status, contentType, text } = await get(environment, '/docs/openapi')
  t.match({ status, contentType, text }, { status: 200, contentType: /^text\/plain/, text: /^openapi: 3\.1/m })
})

const secret = 'a secret of thirty-two bytes and more'

async function bearer(sub: string): Promise<Record<string, string>> {
  const exp = Math.floor(Date.now() / 1000) + 200
  const token = new SignJWT({ sub, scope: 'daml_ledger_api', exp }).setProtectedHeader({ alg: 'HS256' })
  return { authorization: `Bearer ${await token.sign(new TextEncoder().encode(secret))}` }
}

/** What everybody who reads is asked for; each for the parties of a format. */
const readings: [title: string, path: string, body: (eventFormat: JsonObject) => JsonObject][] = [
  ['contracts', '/v2/state/active-contracts', (eventFormat) => ({ activeAtOffset: 0, eventFormat })],
  ['contracts, older form', '/v2/state/active-contracts', (filter) => ({ activeAtOffset: 0, filter })],
  ['a page of contracts', '/v2/state/active-contracts-page', (eventFormat) => ({ eventFormat })],
  ['events', '/v2/events/events-by-contract-id', (eventFormat) => ({ contractId: `00${'0'.repeat(64)}`, eventFormat })],
  ['updates', '/v2/updates', (filter) => ({ beginExclusive: 0, endInclusive: 1, filter })],
  [
    'an update',
    '/v2/updates/update-by-offset',
    (eventFormat) => ({ offset: 1, updateFormat: transactions(eventFormat) }),
  ],
]
const transactions = (eventFormat: JsonObject): JsonObject => ({
  includeTransactions: { eventFormat, transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA' },
})

t.test('a reader needs the right to read as each party, or as any', async (t: Test) => {
  const admin = await bearer('participant_admin')
  const environment = await simulatorEnvironment(t, { authorization: `hs256:${secret}` }, admin)
  const { wire, alice, bob } = environment
  const createUser = async (id: string, kind: JsonObject) =>
    await wire.post('/v2/users', { user: { id }, rights: [{ kind }] }, admin)
  await createUser('ann', { CanReadAs: { value: { party: alice } } })
  await createUser('all', { CanReadAsAnyParty: { value: {} } })
  const one = only(alice, wildcard)
  const both = { filtersByParty: { [alice]: {}, [bob]: {} } }
  const any = { filtersForAnyParty: {} }
  const rows: [title: string, format: JsonObject, ann: boolean][] = [
    ['one party', one, true],
    ['two parties', both, false],
    ['any party', any, false],
    ['one party and any', { ...one, ...any }, false],
  ]
  for (const [what, path, body] of readings) {
    for (const [title, format, ann] of rows) {
      const status = async (user: string) => (await wire.post(path, body(format), await bearer(user))).status
      t.equal((await status('ann')) !== 403, ann, `${what}: ${title}`)
      t.not(await status('all'), 403, `${what}: ${title}, by whom may read all`)
      t.equal(await status('participant_admin'), 403, `${what}: ${title}, by whom may read none`)
    }
    t.equal((await wire.post(path, body(one))).status, 401, `${what}, by nobody`)
  }
  const [names] = await pages(
    { ...environment, wire: { ...wire, send: (request) => wire.send({ ...request, headers: admin }) } },
    '/v2/users?',
    'users',
    'id',
  )
  t.strictSame(names, ['all', 'ann', 'participant_admin'])
  for (const path of ['/v2/users', '/v2/parties']) {
    const answer = await wire.send({ method: 'GET', path, headers: await bearer('ann') })
    t.equal(answer.status, 403, path)
  }
})
