/** Lists and changes of parties and users, and the rights that they require. */
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { outcomeOf } from '../support/ledgers/external-environment.js'
import {
  objectIn,
  type SimulatorEnvironment,
  simulatorEnvironment,
  uploadPackages,
} from '../support/ledgers/simulator-environment.js'
import { at } from '../support/replay/replay-variables.js'
import type { WireAnswer, WireRequest } from '../support/servers/wire.js'
import { codeOf, objects, only, wildcard } from '../support/suites/reading.js'

const get = async ({ wire }: SimulatorEnvironment, path: string): Promise<WireAnswer> =>
  await wire.send({ method: 'GET', path })
const patch = async ({ wire }: SimulatorEnvironment, path: string, body: JsonObject): Promise<WireAnswer> =>
  await wire.send({ method: 'PATCH', path, body: JSON.stringify(body) })

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

t.test('lists parties singly and in pages', async (t) => {
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

t.test('lists users in pages, and changes them', async (t) => {
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
  t.equal(codeOf(await update(changed, ['is_deactivated', 'isDeactivated'])), '400 INVALID_USER_UPDATE_REQUEST')
  t.equal(codeOf(await update({ id: 'zed' }, ['is_deactivated'])), '400 INVALID_ARGUMENT', 'two different users')
  t.equal(codeOf(await update({ id: 'nobody' }, ['is_deactivated'], 'nobody')), '404 USER_NOT_FOUND')
  for (const grant of [
    wire.post('/v2/users/ann/rights', { userId: 'zed', rights: [] }),
    patch(environment, '/v2/users/ann/rights', { userId: 'zed', rights: [] }),
  ]) {
    t.equal(codeOf(await grant), '400 INVALID_ARGUMENT')
  }
})

t.test('returns the interface description without a token', async (t) => {
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

/** Each with the parties of a format. */
const readings: [title: string, path: string, body: (eventFormat: JsonObject) => JsonObject][] = [
  ['contracts', '/v2/state/active-contracts', (eventFormat) => ({ activeAtOffset: 0, eventFormat })],
  ['contracts, deprecated form', '/v2/state/active-contracts', (filter) => ({ activeAtOffset: 0, filter })],
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

t.test('requires the right to read as each party or as any', async (t: Test) => {
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
      t.not(await status('all'), 403, `${what}: ${title}, with the right to read all`)
      t.equal(await status('participant_admin'), 403, `${what}: ${title}, without read rights`)
    }
    t.equal((await wire.post(path, body(one))).status, 401, `${what}, without a token`)
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

const post = (path: string, body: JsonValue): WireRequest => ({ path, body: JSON.stringify(body) })

t.test('rejects malformed user and party names in all operations', async (t) => {
  const { wire, alice } = await simulatorEnvironment(t)
  const user = (more: JsonObject) => ({ user: { id: 'ann', ...more }, rights: [] })
  const rights = (party: string) => ({ userId: 'ann', rights: [{ kind: { CanActAs: { value: { party } } } }] })
  t.equal(outcomeOf(await wire.post('/v2/users', user({}))), 200)
  const long = 'a'.repeat(129)
  const rows: [title: string, request: WireRequest, outcome: number | string][] = [
    ['a user with a blank', post('/v2/users', user({ id: 'a b' })), '400 INVALID_FIELD'],
    ['an empty user id', post('/v2/users', user({ id: '' })), '400 MISSING_FIELD'],
    ['a long user id', post('/v2/users', user({ id: long })), '400 INVALID_FIELD'],
    ['a bad primary party', post('/v2/users', user({ id: 'bob', primaryParty: 'a!b' })), '400 INVALID_ARGUMENT'],
    [
      'a bad party in the rights',
      post('/v2/users', { ...user({ id: 'bob' }), ...rights('a!b') }),
      '400 INVALID_ARGUMENT',
    ],
    ['a bad party granted', post('/v2/users/ann/rights', rights('a!b')), '400 INVALID_ARGUMENT'],
    ['no party granted', post('/v2/users/ann/rights', rights('')), '400 INVALID_ARGUMENT'],
    ['a right granted', post('/v2/users/ann/rights', rights(alice)), 200],
    ['a bad party revoked', { ...post('/v2/users/ann/rights', rights('!')), method: 'PATCH' }, '400 INVALID_ARGUMENT'],
    ['read', { method: 'GET', path: '/v2/users/a%20b' }, '400 INVALID_ARGUMENT'],
    ['its rights read', { method: 'GET', path: '/v2/users/a%20b/rights' }, '400 INVALID_ARGUMENT'],
    ['deleted', { method: 'DELETE', path: '/v2/users/a%20b' }, '400 INVALID_ARGUMENT'],
    ['an unknown user', { method: 'GET', path: '/v2/users/unknown' }, '404 USER_NOT_FOUND'],
    ['a party with a dot', post('/v2/parties', { partyIdHint: 'a.b' }), '400 INVALID_ARGUMENT'],
    ['a hint with a delimiter', post('/v2/parties', { partyIdHint: 'a::b' }), '400 INVALID_ARGUMENT'],
    ['a long hint', post('/v2/parties', { partyIdHint: 'a'.repeat(186) }), '400 INVALID_ARGUMENT'],
    ['the longest hint', post('/v2/parties', { partyIdHint: 'a'.repeat(185) }), 200],
    ['for a malformed user id', post('/v2/parties', { partyIdHint: 'c', userId: 'a b' }), '400 INVALID_FIELD'],
  ]
  for (const [title, request, outcome] of rows) t.equal(outcomeOf(await wire.send(request)), outcome, title)
})

const preferredPath = '/v2/interactive-submission/preferred-packages'
const upgrade = 'conformance-upgrade'

async function unvet({ wire }: SimulatorEnvironment, packageVersion: string): Promise<void> {
  const value = { packages: [{ packageName: upgrade, packageVersion }] }
  const answer = await wire.post('/v2/package-vetting/update', { changes: [{ operation: { Unvet: { value } } }] })
  if (answer.status !== 200) throw new Error(answer.text)
}

t.test('prefers the newest vetted version of a package', async (t) => {
  const environment = await simulatorEnvironment(t)
  await uploadPackages(environment.wire)
  const { wire, alice, bob, synchronizer } = environment
  const ask = (packageNames: string[], more: JsonObject = {}, parties = [alice, bob]) => {
    const packageVettingRequirements = packageNames.map((packageName) => ({ packageName, parties }))
    return wire.post(preferredPath, { packageVettingRequirements, ...more })
  }
  const versionOf = async (more: string) => {
    const query = `?package-name=${upgrade}&parties=${encodeURIComponent(alice)}${more}`
    const answer = await wire.send({
      method: 'GET',
      path: `/v2/interactive-submission/preferred-package-version${query}`,
    })
    return (
      at(answer.json(), '/packagePreference/packageReference/packageVersion') ?? at(answer.json(), '/packagePreference')
    )
  }
  const versions = async (packageNames: string[], more: JsonObject = {}) => {
    const { packageReferences, synchronizerId } = objectIn(await ask(packageNames, more))
    t.equal(synchronizerId, synchronizer)
    return [packageReferences ?? []].flat().map((item) => `${at(item, '/packageName')} ${at(item, '/packageVersion')}`)
  }
  const both = ['conformance-model 1.0.0', `${upgrade} 1.1.0`]
  t.strictSame(await versions(['conformance-model', upgrade]), both, 'in the requested order')
  t.strictSame(await versions([upgrade], { synchronizerId: synchronizer }), [`${upgrade} 1.1.0`])
  t.equal(await versionOf(''), '1.1.0')
  await unvet(environment, '1.1.0')
  t.strictSame(await versions([upgrade]), [`${upgrade} 1.0.0`], 'an unvetted version is not preferred')
  t.equal(await versionOf('&vetting_valid_at=2040-01-01T00:00:00Z'), '1.0.0')
  await unvet(environment, '1.0.0')
  t.equal(outcomeOf(await ask([upgrade])), '400 NO_PREFERRED_PACKAGES_FOUND')
  t.equal(await versionOf(''), null)
  const refusals: [title: string, answer: Promise<Parameters<typeof outcomeOf>[0]>, outcome: string][] = [
    ['an unknown package', ask(['no-such']), '404 PACKAGE_NAMES_NOT_FOUND'],
    ['an unknown party', ask([upgrade], {}, [`ghost::1220${'ab'.repeat(32)}`]), '404 UNKNOWN_INFORMEES'],
    [
      'an unknown synchronizer',
      ask([upgrade], { synchronizerId: 'other::12' }),
      '400 INVALID_PRESCRIBED_SYNCHRONIZER_ID',
    ],
    ['without a requirement', ask([]), '400 MISSING_FIELD'],
    ['without a party', ask([upgrade], {}, []), '400 MISSING_FIELD'],
    ['a bad party', ask([upgrade], {}, ['!']), '400 INVALID_ARGUMENT'],
    ['a bad name', ask(['!']), '400 INVALID_FIELD'],
    ['a bad synchronizer', ask([upgrade], { synchronizerId: '!' }), '400 INVALID_FIELD'],
    ['a bad time', ask([upgrade], { vettingValidAt: 'noon' }), '400 text'],
  ]
  for (const [title, answer, outcome] of refusals) t.equal(outcomeOf(await answer), outcome, title)
})
