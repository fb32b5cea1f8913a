/** What the simulator does as a stand-in for others: names it takes, packages it prefers, whom it listens to. */

import { generateKeyPairSync } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { networkInterfaces } from 'node:os'
import { exportJWK } from 'jose'
import t, { type Test } from 'tap'
import type { JsonObject, JsonValue } from '../../lib/json/json.js'
import { startSimulator } from '../../simulator/simulator.js'
import { outcomeOf } from '../support/ledgers/external-environment.js'
import { adminClaims, bearer, sign } from '../support/ledgers/guarded-environment.js'
import {
  objectIn,
  ping,
  type SimulatorEnvironment,
  simulatorEnvironment,
  submitPath,
  uploadPackages,
} from '../support/ledgers/simulator-environment.js'
import { conform, simulate } from '../support/processes/conform-process.js'
import { at } from '../support/replay/replay-variables.js'
import { listen } from '../support/servers/raw-target.js'
import { connect, type WireRequest } from '../support/servers/wire.js'

const post = (path: string, body: JsonValue): WireRequest => ({ path, body: JSON.stringify(body) })

t.test('names that no user and no party can have are refused wherever they stand', async (t) => {
  const { wire, alice } = await simulatorEnvironment(t)
  const user = (more: JsonObject) => ({ user: { id: 'ann', ...more }, rights: [] })
  const rights = (party: string) => ({ rights: [{ kind: { CanActAs: { value: { party } } } }] })
  t.equal(outcomeOf(await wire.post('/v2/users', user({}))), 200)
  const long = 'a'.repeat(129)
  const rows: [title: string, request: WireRequest, outcome: number | string][] = [
    ['a user with a blank', post('/v2/users', user({ id: 'a b' })), '400 INVALID_FIELD'],
    ['an empty user id', post('/v2/users', user({ id: '' })), '400 INVALID_FIELD'],
    ['a user id too long', post('/v2/users', user({ id: long })), '400 INVALID_FIELD'],
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
    ['looked up', { method: 'GET', path: '/v2/users/a%20b' }, '400 INVALID_FIELD'],
    ['its rights looked up', { method: 'GET', path: '/v2/users/a%20b/rights' }, '400 INVALID_FIELD'],
    ['deleted', { method: 'DELETE', path: '/v2/users/a%20b' }, '400 INVALID_FIELD'],
    ['a user nobody made', { method: 'GET', path: '/v2/users/nobody' }, '404 USER_NOT_FOUND'],
    ['a party with a dot', post('/v2/parties', { partyIdHint: 'a.b' }), '400 INVALID_ARGUMENT'],
    ['a hint with a delimiter', post('/v2/parties', { partyIdHint: 'a::b' }), '400 INVALID_ARGUMENT'],
    ['a hint too long', post('/v2/parties', { partyIdHint: 'a'.repeat(186) }), '400 INVALID_ARGUMENT'],
    ['the longest hint', post('/v2/parties', { partyIdHint: 'a'.repeat(185) }), 200],
    ['for a bad user', post('/v2/parties', { partyIdHint: 'c', userId: 'a b' }), '400 INVALID_FIELD'],
  ]
  for (const [title, request, outcome] of rows) t.equal(outcomeOf(await wire.send(request)), outcome, title)
})

t.test('a prepared transaction whose hash is to be explained', async (t) => {
  const { wire, alice, bob } = await simulatorEnvironment(t)
  const createArguments = { id: 'x', initiator: alice, responder: bob }
  const request = {
    ...{ commandId: 'c', commands: [{ CreateCommand: { templateId: ping, createArguments } }], actAs: [alice] },
    ...{ synchronizerId: '', packageIdSelectionPreference: [], userId: 'user' },
  }
  const details = async (more: JsonObject) =>
    objectIn(await wire.post('/v2/interactive-submission/prepare', { ...request, ...more }))['hashingDetails']
  const notice = 'Verbose hashing is disabled on this participant. Contact the node administrator for more details.'
  t.equal(await details({ verboseHashing: true }), notice)
  t.equal(await details({ verboseHashing: false }), null)
  t.equal(await details({}), null)
})

const preferredPath = '/v2/interactive-submission/preferred-packages'
const upgrade = 'conformance-upgrade'

async function unvet({ wire }: SimulatorEnvironment, packageVersion: string): Promise<void> {
  const value = { packages: [{ packageName: upgrade, packageVersion }] }
  const answer = await wire.post('/v2/package-vetting/update', { changes: [{ operation: { Unvet: { value } } }] })
  if (answer.status !== 200) throw new Error(answer.text)
}

t.test('the newest vetted version of a package is preferred', async (t) => {
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
  t.strictSame(await versions(['conformance-model', upgrade]), both, 'in the order in which they were asked for')
  t.strictSame(await versions([upgrade], { synchronizerId: synchronizer }), [`${upgrade} 1.1.0`])
  t.equal(await versionOf(''), '1.1.0')
  await unvet(environment, '1.1.0')
  t.strictSame(await versions([upgrade]), [`${upgrade} 1.0.0`], 'one that is not vetted is not preferred')
  t.equal(await versionOf('&vetting_valid_at=2040-01-01T00:00:00Z'), '1.0.0')
  await unvet(environment, '1.0.0')
  t.equal(outcomeOf(await ask([upgrade])), '400 PACKAGE_SELECTION_FAILED')
  t.equal(await versionOf(''), null)
  const refusals: [title: string, answer: Promise<Parameters<typeof outcomeOf>[0]>, outcome: string][] = [
    ['an unknown package', ask(['no-such']), '404 PACKAGE_NAMES_NOT_FOUND'],
    ['an unknown party', ask([upgrade], {}, [`ghost::1220${'ab'.repeat(32)}`]), '404 UNKNOWN_INFORMEES'],
    [
      'an unknown synchronizer',
      ask([upgrade], { synchronizerId: 'other::12' }),
      '400 INVALID_PRESCRIBED_SYNCHRONIZER_ID',
    ],
    ['no requirement', ask([]), '400 MISSING_FIELD'],
    ['no party', ask([upgrade], {}, []), '400 MISSING_FIELD'],
    ['a bad party', ask([upgrade], {}, ['!']), '400 INVALID_ARGUMENT'],
    ['a bad name', ask(['!']), '400 INVALID_FIELD'],
    ['a bad synchronizer', ask([upgrade], { synchronizerId: '!' }), '400 INVALID_FIELD'],
    ['a bad time', ask([upgrade], { vettingValidAt: 'noon' }), '400 text'],
  ]
  for (const [title, answer, outcome] of refusals) t.equal(outcomeOf(await answer), outcome, title)
})

/** Serves whatever `reply` says for a key set. */
async function keyServer(t: Test, reply: (response: ServerResponse) => void): Promise<string> {
  return listen(
    t,
    createServer((_, response) => reply(response)),
  )
}

t.test('a key set is read with limits', async (t) => {
  const printed = t.capture(console, 'error')
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256' }
  const copies = (count: number) =>
    JSON.stringify({ keys: Array.from({ length: count }, (_, kid) => ({ ...jwk, kid: `${kid}` })) })
  const dripping = (response: ServerResponse): void => {
    response.writeHead(200)
    const write = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
      if (!response.destroyed) response.once('drain', write)
    }
    write()
  }
  const rows: [
    title: string,
    reply: (response: ServerResponse) => void,
    accepted: boolean,
    told: RegExp | undefined,
  ][] = [
    ['one key', (response) => response.end(JSON.stringify({ keys: [jwk] })), true, undefined],
    ['too many keys', (response) => response.end(copies(101)), false, /more than 100 keys/],
    ['a body without an end', dripping, false, /more than 262144 bytes/],
    [
      'a redirect to the keys',
      (response) => response.writeHead(302, { location: '/keys' }).end(),
      false,
      /no keys from/,
    ],
    ['an answer that is no JSON', (response) => response.end('{'), false, /no keys from/],
  ]
  for (const [title, reply, accepted, told] of rows) {
    const simulator = await startSimulator({ authorization: `jwks:${await keyServer(t, reply)}/keys` })
    const wire = connect(simulator.url)
    const headers = bearer(await sign(adminClaims(), privateKey, 'ES256'))
    const answer = await wire.send({ method: 'GET', path: '/v2/users', headers })
    t.equal(answer.status, accepted ? 200 : 401, title)
    const lines = printed().map(({ args }) => args.map(String).join(' '))
    if (told) t.match(lines.join('\n'), told, title)
    else t.strictSame(lines, [], title)
    await wire.close()
    await simulator.close()
  }
})

t.test('what a web page could send is refused by every operation', async (t) => {
  const { wire, submission, ledgerEnd } = await simulatorEnvironment(t)
  const before = await ledgerEnd()
  for (const [headers, code] of [
    [{ origin: 'http://evil.example' }, 'ORIGIN_NOT_ALLOWED'],
    [{ host: 'evil.example' }, 'HOST_NOT_ALLOWED'],
    [{ 'sec-fetch-site': 'cross-site' }, 'ORIGIN_NOT_ALLOWED'],
  ] as const) {
    t.equal(outcomeOf(await wire.post(submitPath, submission(), headers)), `403 ${code}`, JSON.stringify(headers))
    t.equal((await wire.send({ method: 'GET', path: '/nothing', headers })).status, 403)
  }
  t.equal(await ledgerEnd(), before)
  for (const host of ['localhost', '127.0.0.1:80', '[::1]:7575']) {
    t.equal(outcomeOf(await wire.post(submitPath, submission(), { host })), 200, host)
  }
})

t.test('the simulator listens where it is told to, and warns where others can reach it', async (t) => {
  const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const outer = own.find(({ internal, family }) => !internal && family === 'IPv4')?.address
  const open = await simulate('--host', '0.0.0.0', '--control')
  t.match(open.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const { port } = new URL(open.url)
  for (const address of ['127.0.0.1', ...(outer === undefined ? [] : [outer])]) {
    const wire = connect(`http://${address}:${port}`)
    t.equal((await wire.send({ method: 'GET', path: '/v2/version' })).status, 200, address)
    t.equal((await wire.send({ method: 'GET', path: '/control' })).status, 200, `control plane on ${address}`)
    t.equal((await wire.send({ method: 'GET', path: '/v2/version', headers: { host: 'evil.example' } })).status, 403)
    await wire.close()
  }
  t.equal(await open.stop(), 0)
  const warning =
    /^warning: the simulator listens on 0\.0\.0\.0\. Other machines .* every operation and the control plane/
  t.match(open.errorOutput(), warning)
  const closed = await simulate('--host', 'localhost')
  t.equal(await closed.stop(), 0)
  t.equal(closed.errorOutput(), '')
  const nowhere = await conform('simulate', '--port', '0', '--host', '192.0.2.1')
  t.match(nowhere, { code: 2, stderr: /host: 192\.0\.2\.1 is not an address of this machine/ })
})
