/** Identity providers, their users, and rights that change rights. */
import t from 'tap'
import type { JsonObject } from '../../lib/json/json.js'
import { bearer, guarded, right, seen, sign } from '../support/ledgers/guarded-environment.js'
import { objectIn } from '../support/ledgers/simulator-environment.js'

const config = (identityProviderId: string, more: JsonObject = {}): JsonObject => ({
  identityProviderConfig: {
    identityProviderId,
    issuer: `https://${identityProviderId}.example`,
    jwksUrl: 'http://127.0.0.1:9/keys',
    ...more,
  },
})

const mask = (...paths: string[]): JsonObject => ({ updateMask: { paths } })

t.test('creates, changes and deletes identity providers', async (t) => {
  const { environment, claims } = await guarded(t)
  const admin = bearer(await sign(claims('participant_admin')))
  const send = async (method: string, path: string, body?: JsonObject) =>
    environment.wire.send({ method, path, headers: admin, ...(body && { body: JSON.stringify(body) }) })
  const steps: [method: string, path: string, body: JsonObject | undefined, expected: number | string][] = [
    ['POST', '/v2/idps', config('one'), 200],
    ['POST', '/v2/idps', config('one', { issuer: 'x' }), '409 IDP_CONFIG_ALREADY_EXISTS'],
    ['POST', '/v2/idps', config('two', { issuer: 'https://one.example' }), '409 IDP_CONFIG_ISSUER_ALREADY_EXISTS'],
    ['POST', '/v2/idps', config(''), '400 MISSING_FIELD'],
    ['POST', '/v2/idps', config('two', { issuer: '' }), '400 MISSING_FIELD'],
    ['POST', '/v2/idps', config('two', { jwksUrl: '' }), '400 MISSING_FIELD'],
    ['POST', '/v2/idps', config('two', { jwksUrl: 'keys' }), '400 INVALID_FIELD'],
    ['POST', '/v2/idps', config('a b', { jwksUrl: 'file:///keys' }), 200],
    ['POST', '/v2/idps', config('a!b', { issuer: 'y' }), '400 INVALID_FIELD'],
    ['POST', '/v2/idps', config('two', { jwksUrl: 'keys:a' }), '400 INVALID_FIELD'],
    ['POST', '/v2/idps', config('two', { jwksUrl: 'https://a b/keys' }), '400 INVALID_FIELD'],
    ['POST', '/v2/idps', {}, '400 MISSING_FIELD'],
    ['GET', '/v2/idps/a!b', undefined, '400 INVALID_FIELD'],
    ['GET', '/v2/idps/two', undefined, '404 IDP_CONFIG_NOT_FOUND'],
    ['PATCH', '/v2/idps/two', { ...config('two'), ...mask('audience') }, '404 IDP_CONFIG_NOT_FOUND'],
    ['PATCH', '/v2/idps/one', { ...config('one'), ...mask() }, '400 INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST'],
    ['PATCH', '/v2/idps/one', { ...config('one'), ...mask('x') }, '400 INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST'],
    ['PATCH', '/v2/idps/one', { ...config('one', { jwksUrl: '', issuer: '' }), ...mask('jwks_url', 'issuer') }, 200],
    ['PATCH', '/v2/idps/one', { ...config('one', { jwksUrl: 'keys' }), ...mask('audience') }, '400 INVALID_FIELD'],
    [
      'PATCH',
      '/v2/idps/one',
      { ...config('one', { issuer: 'https://a b.example' }), ...mask('issuer') },
      '409 IDP_CONFIG_ISSUER_ALREADY_EXISTS',
    ],
    ['PATCH', '/v2/idps/one', { ...config('one', { audience: 'us', issuer: 'x' }), ...mask('audience') }, 200],
    ['DELETE', '/v2/idps/a%20b', undefined, 200],
    ['DELETE', '/v2/idps/a%20b', undefined, '404 IDP_CONFIG_NOT_FOUND'],
  ]
  for (const [method, path, body, expected] of steps)
    t.equal(seen(await send(method, path, body)), expected, `${method} ${path} ${JSON.stringify(body)}`)
  const one = { ...(config('one')['identityProviderConfig'] as object), isDeactivated: false, audience: 'us' }
  t.strictSame(objectIn(await send('GET', '/v2/idps')), { identityProviderConfigs: [one] })
})

t.test('a user of another identity provider has no access, and is read by naming the provider', async (t) => {
  const { environment, claims } = await guarded(t)
  const admin = bearer(await sign(claims('participant_admin')))
  const { wire } = environment
  const get = async (path: string, headers = admin) => seen(await wire.send({ method: 'GET', path, headers }))
  t.equal(seen(await wire.post('/v2/idps', config('other'), admin)), 200)
  const ann = { id: 'ann', identityProviderId: 'other' }
  t.equal(
    seen(await wire.post('/v2/users', { user: { ...ann, identityProviderId: 'none' } }, admin)),
    '400 INVALID_ARGUMENT',
  )
  t.equal(seen(await wire.post('/v2/users', { user: ann }, admin)), 200)
  for (const more of [{}, { iss: 'https://other.example' }])
    t.equal(await get('/v2/state/ledger-end', bearer(await sign({ ...claims('ann'), ...more }))), 403)
  t.equal(await get('/v2/users/ann'), 403)
  t.equal(await get('/v2/users/ann?identity-provider-id=other'), 200)
  const remove = async () => seen(await wire.send({ method: 'DELETE', path: '/v2/idps/other', headers: admin }))
  t.equal(await remove(), '503 INDEX_DB_SQL_TRANSIENT_ERROR')
  const move = { userId: 'ann', sourceIdentityProviderId: 'other', targetIdentityProviderId: '' }
  const path = '/v2/users/ann/identity-provider-id'
  const moved = async (body: JsonObject) =>
    seen(await wire.send({ method: 'PATCH', path, headers: admin, body: JSON.stringify(body) }))
  t.equal(await moved({ ...move, userId: 'bob' }), '400 INVALID_ARGUMENT')
  t.equal(await moved({ ...move, sourceIdentityProviderId: '' }), 403)
  t.equal(await moved(move), 200)
  t.equal(await get('/v2/state/ledger-end', bearer(await sign(claims('ann')))), 200)
  t.equal(await remove(), 200)
})

t.test('only a participant administrator changes the right ParticipantAdmin, and none gives it up', async (t) => {
  const { environment, createUser, claims } = await guarded(t)
  const { wire } = environment
  await createUser('idp', [right('IdentityProviderAdmin')])
  await createUser('ann', [])
  const as = async (user: string) => bearer(await sign(claims(user)))
  const [idp, admin, ann] = [await as('idp'), await as('participant_admin'), await as('ann')]
  const rights = [{ kind: right('ParticipantAdmin') }]
  t.equal(seen(await wire.post('/v2/users/idp/rights', { userId: 'idp', rights }, idp)), 403)
  t.equal(seen(await wire.post('/v2/users', { user: { id: 'new' }, rights }, idp)), 403)
  for (const [kind, status] of [
    ['CanReadAsAnyParty', 403],
    ['CanExecuteAsAnyParty', 403],
    ['IdentityProviderAdmin', 200],
  ] as const) {
    const given = [{ kind: right(kind) }]
    t.equal(seen(await wire.post('/v2/users/idp/rights', { userId: 'idp', rights: given }, idp)), status, kind)
    t.equal(seen(await wire.post('/v2/users', { user: { id: 'new' }, rights: given }, idp)), status, kind)
  }
  t.equal(seen(await wire.post('/v2/users/ann/rights', { userId: 'ann', rights }, admin)), 200)
  const patch = async (path: string, body: JsonObject, headers: Record<string, string>) =>
    seen(await wire.send({ method: 'PATCH', path, headers, body: JSON.stringify(body) }))
  const off = (id: string): JsonObject => ({ user: { id, isDeactivated: true }, ...mask('is_deactivated') })
  t.equal(await patch('/v2/users/ann/rights', { userId: 'ann', rights }, ann), '400 INVALID_ARGUMENT')
  t.equal(await patch('/v2/users/ann', off('ann'), ann), '400 INVALID_ARGUMENT')
  t.equal(seen(await wire.send({ method: 'DELETE', path: '/v2/users/ann', headers: ann })), '400 INVALID_ARGUMENT')
  t.equal(await patch('/v2/users/ann/rights', { userId: 'ann', rights }, admin), 200)
  for (const path of ['/v2/users/ann', '/v2/users/ann/rights'])
    t.equal(seen(await wire.send({ method: 'GET', path, headers: ann })), 200, 'a user reads its own data')
  t.equal(seen(await wire.send({ method: 'GET', path: '/v2/users/idp', headers: ann })), 403)
})
