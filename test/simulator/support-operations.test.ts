/** The rights that reading requires, and preferred packages. */
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import type { JsonObject } from '../../lib/json/json.js'
import { outcomeOf } from '../support/ledgers/external-environment.js'
import {
  objectIn,
  type SimulatorEnvironment,
  simulatorEnvironment,
  uploadPackages,
} from '../support/ledgers/simulator-environment.js'
import { at } from '../support/replay/replay-variables.js'
import { only, wildcard } from '../support/suites/reading.js'

t.test('returns the interface description without a token', async (t) => {
  const { wire } = await simulatorEnvironment(t)
  const { status, contentType, text } = await wire.send({ method: 'GET', path: '/docs/openapi' })
  t.match({ status, contentType, text }, { status: 200, contentType: /^text\/plain/, text: /^openapi: 3\.1/m })
})

t.test('another version of a resource is a conflict, of any 64-bit number', async (t) => {
  const { wire } = await simulatorEnvironment(t)
  const changed = async (resourceVersion: string): Promise<number | string> => {
    const user = { id: 'ann', metadata: { annotations: {}, resourceVersion } }
    const body = { user, updateMask: { paths: ['metadata.annotations'] } }
    return outcomeOf(await wire.send({ method: 'PATCH', path: '/v2/users/ann', body: JSON.stringify(body) }))
  }
  await wire.post('/v2/users', { user: { id: 'ann' }, rights: [] })
  for (const version of ['7', '-1', String(-(2n ** 63n))])
    t.equal(await changed(version), '409 CONCURRENT_USER_UPDATE_DETECTED', version)
  for (const version of ['x', String(2n ** 63n)]) t.equal(await changed(version), '400 INVALID_FIELD', version)
})

t.test('a malformed Accept header excludes nothing', async (t) => {
  const { wire } = await simulatorEnvironment(t)
  const statusFor = async (accept: string): Promise<number> =>
    (await wire.send({ method: 'GET', path: '/v2/version', headers: { accept } })).status
  for (const accept of ['application/json;', 'application/json;;', 'application/json; q', 'application/json;q=x'])
    t.equal(await statusFor(accept), 200, accept)
  for (const accept of ['text/html', 'application/json;version=1']) t.equal(await statusFor(accept), 406, accept)
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
  for (const path of ['/v2/users', '/v2/parties']) {
    const answer = await wire.send({ method: 'GET', path, headers: await bearer('ann') })
    t.equal(answer.status, 403, path)
  }
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
