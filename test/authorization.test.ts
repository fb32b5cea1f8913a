import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import t, { type Test } from 'tap'
import { responseCheck } from '../interface/description.js'
import type { JsonObject } from '../interface/json.js'
import { endpoints } from '../simulator/http/endpoints.js'
import { AuthorizationSettingError, startSimulator } from '../simulator/simulator.js'
import { lookUpPath, objectIn, ping, simulatorWorld, submitPath } from './simulator-world.js'
import type { WireAnswer } from './wire.js'

const secret = 'a secret of thirty-two bytes and more'
const audience = (participant: string) => `https://daml.com/jwt/aud/participant/${participant}`
const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

type Key = Uint8Array | KeyObject
const hmacKey = new TextEncoder().encode(secret)

const sign = (claims: object, key: Key = hmacKey, alg = 'HS256'): Promise<string> =>
  new SignJWT({ ...claims } as JWTPayload).setProtectedHeader({ alg }).sign(key) // tests also sign claims of wrong types

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const adminClaims = () => ({ sub: 'participant_admin', scope: 'daml_ledger_api', exp: secondsFromNow(200) })

/** A simulator with tokens, its administrator's headers, and a contract of alice and bob. */
async function guarded(t: Test, authorization = `hs256:${secret}`, sealed = sign) {
  const admin = bearer(await sealed(adminClaims()))
  const world = await simulatorWorld(t, { authorization }, admin)
  const { wire, participant } = world
  const createUser = async (id: string, rights: JsonObject[], isDeactivated = false): Promise<void> => {
    const kinds = rights.map((kind) => ({ kind }))
    const answer = await wire.post('/v2/users', { user: { id, isDeactivated }, rights: kinds }, admin)
    if (answer.status !== 200) throw new Error(`no user ${id}: ${answer.text}`)
  }
  const claims = (sub: string) => ({ sub, aud: audience(participant), exp: secondsFromNow(200) })
  const as = async (sub: string) => bearer(await sealed(claims(sub)))
  return { world, admin, createUser, claims, as }
}

const right = (kind: string, party?: string): JsonObject => ({
  [kind]: { value: party === undefined ? {} : { party } },
})

const seen = (answer: WireAnswer): number | string => {
  if (answer.contentType !== 'application/json') return `${answer.status} text`
  const code = objectIn(answer)['code']
  return code === undefined || code === 'NA' ? answer.status : `${answer.status} ${String(code)}`
}

// ---------------------------------------------------------------- tokens

t.test('which tokens are accepted', async (t) => {
  const { world, createUser, claims } = await guarded(t)
  const { wire, alice, participant } = world
  await createUser('ann', [right('CanReadAs', alice)])
  const ann = claims('ann')
  const { aud, exp, ...bare } = ann
  const scope = 'daml_ledger_api'
  const tokens: [title: string, token: string | Promise<string>, expected: number | string][] = [
    ['as it should be', sign(ann), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['one audience of several', sign({ ...ann, aud: ['https://example.com', aud] }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['a scope instead', sign({ ...bare, exp, scope }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['a scope among others', sign({ ...bare, exp, scope: `openid ${scope}` }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['a scope for this participant', sign({ ...bare, exp, scope, aud: participant }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['any issuer', sign({ ...ann, iss: 'https://example.com' }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['just within its life', sign({ ...ann, exp: secondsFromNow(298) }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['another participant', sign({ ...ann, aud: audience('another::12') }), 403],
    ['an unknown user', sign({ ...ann, sub: 'ghost' }), 403],
    ['no user id', sign({ ...ann, sub: 'not a user' }), '400 INVALID_TOKEN'],
    ['expired', sign({ ...ann, exp: secondsFromNow(-1) }), 401],
    ['longer than five minutes', sign({ ...ann, exp: secondsFromNow(330) }), 401],
    ['without an end', sign({ ...bare, aud }), 401],
    ['an end that is no number', sign({ ...ann, exp: 'tomorrow' }), 401],
    ['not valid yet', sign({ ...ann, nbf: secondsFromNow(100) }), 401],
    ['without a subject', sign({ aud, exp }), 401],
    ['an empty subject', sign({ ...ann, sub: '' }), 401],
    ['a subject that is no text', sign({ ...ann, sub: ['ann'] }), 401],
    ['neither audience nor scope', sign({ ...bare, exp }), 401],
    ['a strange audience', sign({ ...ann, aud: 'https://example.com' }), 401],
    ['an audience that is no text', sign({ ...ann, aud: [7, null] }), 401],
    ['another scope', sign({ ...bare, exp, scope: 'openid' }), 401],
    ['a scope that is no text', sign({ ...bare, exp, scope: [scope] }), 401],
    ['a scope for somebody else', sign({ ...bare, exp, scope, aud: 'https://example.com' }), 401],
    ['another secret', sign(ann, new TextEncoder().encode(`${secret}!`)), 401],
    ['another algorithm', sign(ann, hmacKey, 'HS512'), 401],
    ['no signature', new UnsecuredJWT(ann).encode(), 401],
    ['no token', 'a.b.c', 401],
  ]
  for (const [title, token, expected] of tokens) {
    const answer = await wire.post(
      lookUpPath,
      { contractId: `00${'ab'.repeat(40)}`, queryingParties: [alice] },
      bearer(await token),
    )
    t.equal(seen(answer), expected, title)
    t.strictSame(responseCheck('contract-by-id', answer.status)(answer.json()), [])
    if (expected === 401 || expected === 403)
      t.match(answer.text, /"cause":"A security-sensitive error has been received"/)
  }
  const valid = await sign(ann)
  for (const authorization of [`Basic ${valid}`, `Bearer  ${valid}`, `Bearer ${valid} x`, '', `Digest ${valid}`]) {
    t.equal(seen(await wire.post(lookUpPath, { contractId: '00' }, { authorization })), 401, authorization.slice(0, 9))
  }
  t.equal(seen(await wire.post(lookUpPath, { contractId: '00' })), 401, 'without a header')
  t.equal(seen(await wire.post(lookUpPath, { contractId: '00' }, { authorization: 'Bearer' })), '400 text')
})

for (const [alg, pair] of [
  ['RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
] as const) {
  t.test(`tokens that are signed with a key pair: ${alg}`, async (t) => {
    const { publicKey, privateKey } = pair()
    const pem = publicKey.export({ type: 'spki', format: 'pem' })
    const file = join(t.testdir({ 'key.pem': String(pem) }), 'key.pem')
    const sealed = (claims: object, key: Key = privateKey, algorithm: string = alg) => sign(claims, key, algorithm)
    const { world, as, claims } = await guarded(t, `${alg.toLowerCase()}:${file}`, sealed)
    const ledgerEnd = async (headers: Record<string, string>) =>
      seen(await world.wire.send({ method: 'GET', path: '/v2/state/ledger-end', headers }))
    t.equal(await ledgerEnd(await as('participant_admin')), 200)
    const admin = claims('participant_admin')
    t.equal(await ledgerEnd(bearer(await sealed(admin, pair().privateKey))), 401, 'another key')
    t.equal(await ledgerEnd(bearer(await sign(admin, Buffer.from(pem)))), 401, 'the public key as a secret')
    t.equal(await ledgerEnd(bearer(new UnsecuredJWT(admin).encode())), 401)
  })
}

t.test('settings of authorization that cannot be used', async (t) => {
  const file = join(t.testdir({ 'no-key.pem': 'no key' }), 'no-key.pem')
  for (const authorization of [
    '',
    'hs256',
    'hs256:',
    'rs512:x',
    `rs256:${file}`,
    `es256:${file}.gone`,
    'secret-secret',
  ]) {
    const error = await startSimulator({ authorization }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    t.ok(error instanceof AuthorizationSettingError, authorization.replace(file, 'FILE'))
    t.notMatch(String(error), /secret-secret/)
  }
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(file, publicKey.export({ type: 'spki', format: 'pem' }))
  const simulator = await startSimulator({ authorization: `es256:${file}` })
  await simulator.close()
})

// ---------------------------------------------------------------- rights

t.test('what each right allows', async (t) => {
  const { world, createUser, as } = await guarded(t)
  const { wire, alice, submission } = world
  await createUser('actor', [right('CanActAs', alice)])
  const submitAs = async (headers: Record<string, string>) =>
    wire.post(submitPath, submission({ userId: '', actAs: [alice] }), headers)
  t.equal((await submitAs(await as('actor'))).status, 200)
  const contractId = `00${'ab'.repeat(40)}`
  const lookUp = async (headers: Record<string, string>, queryingParties: string[]) => {
    const { status } = await wire.post(lookUpPath, { contractId, queryingParties }, headers)
    return status === 404 ? 200 : status // whether it may be looked for is the question
  }
  const eve = 'eve::12'
  const rows: [title: string, rights: JsonObject[], submit: number, lookUpAsAlice: number, lookUpAsAny: number][] = [
    ['none', [], 403, 403, 403],
    ['IdentityProviderAdmin', [right('IdentityProviderAdmin')], 403, 403, 403],
    ['ParticipantAdmin', [right('ParticipantAdmin')], 403, 403, 403],
    ['CanActAs', [right('CanActAs', alice)], 200, 200, 403],
    ['CanReadAs', [right('CanReadAs', alice)], 403, 200, 403],
    ['CanReadAsAnyParty', [right('CanReadAsAnyParty')], 403, 200, 200],
    ['CanActAs eve', [right('CanActAs', eve)], 403, 403, 403],
    ['CanReadAs eve', [right('CanReadAs', eve)], 403, 403, 403],
    ['CanExecuteAs', [right('CanExecuteAs', alice)], 403, 403, 403],
    ['CanExecuteAsAnyParty', [right('CanExecuteAsAnyParty')], 403, 403, 403],
  ]
  for (const [index, [title, rights, ...expected]] of rows.entries()) {
    await createUser(`user-${index}`, rights)
    const headers = await as(`user-${index}`)
    const found = [(await submitAs(headers)).status, await lookUp(headers, [alice]), await lookUp(headers, [])]
    t.strictSame(found, expected, title)
  }
  const actor = await as('actor')
  const submitting = async (more: JsonObject) =>
    seen(await wire.post(submitPath, submission({ userId: '', ...more }), actor))
  t.equal(await submitting({ userId: 'actor' }), 200)
  t.equal(await submitting({ userId: 'somebody-else' }), 403)
  t.equal(await submitting({ actAs: [alice, world.bob] }), 403)
  t.equal(await submitting({ readAs: [alice] }), 200, 'who acts may read')
  t.equal(await submitting({ readAs: [world.bob] }), 403)
  t.equal(await submitting({ actAs: ['!'] }), '400 INVALID_ARGUMENT', 'a package name is resolved for a party')
  t.equal(await submitting({ actAs: ['!'], commands: [] }), 403, 'without a name, rights come first')
  const revoke = await wire.send({
    ...{ method: 'PATCH', path: '/v2/users/actor/rights', headers: bearer(await sign(adminClaims())) },
    body: JSON.stringify({ rights: [{ kind: right('CanActAs', alice) }] }),
  })
  t.equal(revoke.status, 200)
  t.equal(await submitting({}), 403, 'a right that was taken away')
})

t.test('an unknown or deactivated user is refused on every path', async (t) => {
  const { world, createUser, as } = await guarded(t)
  await createUser('off', [right('ParticipantAdmin')], true)
  for (const user of ['off', 'ghost']) {
    const headers = await as(user)
    for (const { method, path } of endpoints) {
      const request = { method: method.toUpperCase(), path: path.replace(/:\w+/, 'x'), headers }
      const answer = await world.wire.send({ ...request, ...(method !== 'get' && { body: '{' }) })
      t.equal(seen(answer), 403, `${user}: ${method} ${path}`)
    }
    t.equal((await world.wire.post('/v2/nothing', {}, headers)).status, 404)
    t.equal((await world.wire.send({ method: 'GET', path: submitPath, headers })).status, 405)
  }
  t.equal((await world.wire.send({ method: 'GET', path: '/v2/version' })).status, 200, 'which needs no token')
})

// ---------------------------------------------------------------- order of checks

t.test('what is wrong with a request is found in the order of the reference', async (t) => {
  const { world, createUser, claims, as } = await guarded(t)
  const { wire, alice, submission } = world
  await createUser('right', [right('CanActAs', alice)])
  await createUser('wrong', [])
  await createUser('off', [], true)
  const nobody = [
    {},
    bearer(await sign({ ...claims('right'), exp: 1 })),
    bearer(await sign(claims('right'), new Uint8Array(32))),
  ]
  const callers = [...nobody, await as('wrong'), await as('ghost'), await as('off'), await as('right')]
  const body = (more: JsonObject) => JSON.stringify(submission({ userId: '', ...more }))
  const create = (templateId: string, createArguments: JsonObject) => ({
    commands: [{ CreateCommand: { templateId, createArguments } }],
  })
  const unknownName = create('#nothing:A:B', {})
  const wrongKind = create(ping, { id: 7, initiator: alice, responder: alice })
  const bad = JSON.stringify({ contractId: 'x', queryingParties: [alice] })
  const rows: [
    title: string,
    path: string,
    body: string,
    nobody: unknown,
    withoutRights: unknown,
    withRights: unknown,
  ][] = [
    ['no JSON', submitPath, '{', '400 text', '400 text', '400 text'],
    ['no JSON', lookUpPath, '{', '400 text', '400 text', '400 text'],
    ['a missing member', submitPath, '{}', '400 text', '400 text', '400 text'],
    ['an unknown package', submitPath, body(unknownName), ...thrice('404 PACKAGE_NAMES_NOT_FOUND')],
    ['no acting party', submitPath, body({ actAs: [] }), ...thrice('400 MISSING_FIELD')],
    ['a wrong JSON kind', submitPath, body(wrongKind), ...thrice('500 LEDGER_API_INTERNAL_ERROR')],
    ['no commands', submitPath, body({ commands: [] }), 401, 403, '400 MISSING_FIELD'],
    ['a bad command id', submitPath, body({ commandId: 'ü' }), 401, 403, '400 INVALID_FIELD'],
    ['a bad contract id', lookUpPath, bad, 401, 403, '400 INVALID_FIELD'],
  ]
  for (const [title, path, text, ...expected] of rows) {
    const [first, withoutRights, withRights] = expected
    const found: unknown[] = []
    for (const headers of callers) found.push(seen(await wire.send({ path, headers, body: text })))
    t.strictSame(found, [first, first, first, withoutRights, 403, 403, withRights], `${title}: ${path}`)
  }
})

const thrice = <T>(value: T): [T, T, T] => [value, value, value]
