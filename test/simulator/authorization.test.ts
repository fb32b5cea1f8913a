/** Authorization by the simulator: tokens, rights and users. */
import { UnsecuredJWT } from 'jose'
import t from 'tap'
import { responseCheck } from '../../interface/description.js'
import { operations } from '../../interface/operations.js'
import type { JsonObject } from '../../lib/json/json.js'
import { endpoints } from '../../simulator/endpoints.js'
import {
  adminClaims,
  audience,
  bearer,
  guarded,
  hmacKey,
  right,
  secondsFromNow,
  seen,
  sign,
} from '../support/ledgers/guarded-environment.js'
import { createdContract, lookUpPath, ping, submitPath } from '../support/ledgers/simulator-environment.js'

const vettingPath = operations['update-package-vetting'].path

t.test('accepts exactly the tokens that the interface text describes', async (t) => {
  const { environment, createUser, claims } = await guarded(t)
  const { wire, alice, participant } = environment
  await createUser('ann', [right('CanReadAs', alice)])
  const ann = claims('ann')
  const { aud, exp, ...bare } = ann
  const scope = 'daml_ledger_api'
  const tokens: [title: string, token: string | Promise<string>, expected: number | string][] = [
    ['a complete token', sign(ann), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['one audience of several', sign({ ...ann, aud: ['https://example.com', aud] }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['a scope without an audience', sign({ ...bare, exp, scope }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['a scope among others', sign({ ...bare, exp, scope: `openid ${scope}` }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['a scope for this participant', sign({ ...bare, exp, scope, aud: participant }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['any issuer', sign({ ...ann, iss: 'https://example.com' }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['just within the maximum lifetime', sign({ ...ann, exp: secondsFromNow(298) }), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['another participant', sign({ ...ann, aud: audience('another::12') }), 403],
    ['an unknown user', sign({ ...ann, sub: 'ghost' }), 403],
    ['a malformed user id', sign({ ...ann, sub: 'not a user id' }), '400 INVALID_TOKEN'],
    ['expired', sign({ ...ann, exp: secondsFromNow(-1) }), 401],
    ['longer than five minutes', sign({ ...ann, exp: secondsFromNow(330) }), 401],
    ['without exp', sign({ ...bare, aud }), 401],
    ['exp is not a number', sign({ ...ann, exp: 'tomorrow' }), 401],
    ['before nbf', sign({ ...ann, nbf: secondsFromNow(100) }), 401],
    ['without sub', sign({ aud, exp }), 401],
    ['an empty subject', sign({ ...ann, sub: '' }), '400 INVALID_TOKEN'],
    ['sub is not a string', sign({ ...ann, sub: ['ann'] }), 401],
    ['neither audience nor scope', sign({ ...bare, exp }), 401],
    ['an unknown audience', sign({ ...ann, aud: 'https://example.com' }), 401],
    ['aud is not a string', sign({ ...ann, aud: [7, null] }), 401],
    ['another scope', sign({ ...bare, exp, scope: 'openid' }), 401],
    ['scope is not a string', sign({ ...bare, exp, scope: [scope] }), 401],
    ['a scope with another audience', sign({ ...bare, exp, scope, aud: 'https://example.com' }), 403],
    [
      'the former custom claims, without audience and scope',
      sign({ exp, sub: 'ann', 'https://daml.com/ledger-api': { actAs: [alice], admin: true } }),
      401,
    ],
    ['another secret', sign(ann, Buffer.concat([hmacKey, hmacKey])), 401],
    ['another algorithm', sign(ann, hmacKey, 'HS512'), 401],
    ['no signature', new UnsecuredJWT(ann).encode(), 401],
    ['no token', 'a.b.c', 401],
    ['padding after the signature', sign(ann).then((token) => `${token}=`), '404 CONTRACT_PAYLOAD_NOT_FOUND'],
    ['padding in every part', sign(ann).then((token) => `${token.replaceAll('.', '=.')}==`), 401],
    ['the base64 alphabet', sign(ann).then((token) => `${token}+/`), 401],
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
  for (const authorization of [`Basic ${valid}`, `Bearer ${valid} x`, '', `Digest ${valid}`]) {
    t.equal(seen(await wire.post(lookUpPath, { contractId: '00' }, { authorization })), 401, authorization.slice(0, 9))
  }
  t.equal(seen(await wire.post(lookUpPath, { contractId: '00' })), 401, 'without a header')
  t.equal(seen(await wire.post(lookUpPath, { contractId: '00' }, { authorization: 'Bearer' })), '400 text')
})

t.test('each right permits exactly its operations', async (t) => {
  const { environment, createUser, as } = await guarded(t)
  const { wire, alice, submission } = environment
  await createUser('actor', [right('CanActAs', alice)])
  const submitAs = async (headers: Record<string, string>) =>
    wire.post(submitPath, submission({ userId: '', actAs: [alice] }), headers)
  t.equal((await submitAs(await as('actor'))).status, 200)
  const { contractId } = await createdContract(environment, submission({ userId: 'actor' }), await as('actor'))
  const lookUp = async (headers: Record<string, string>, queryingParties: string[]) =>
    (await wire.post(lookUpPath, { contractId, queryingParties }, headers)).status
  const vet = async (headers: Record<string, string>) => (await wire.post(vettingPath, {}, headers)).status
  const asUser = async (headers: Record<string, string>, path: string) =>
    (await wire.send({ method: 'GET', path, headers })).status
  const eve = 'eve::12'
  const rows: [title: string, rights: JsonObject[], ...statuses: number[]][] = [
    // submit-and-wait as alice, contract-by-id as alice and without parties, vetting
    ['none', [], 403, 403, 403, 403],
    ['IdentityProviderAdmin', [right('IdentityProviderAdmin')], 403, 403, 403, 403],
    ['ParticipantAdmin', [right('ParticipantAdmin')], 403, 403, 403, 200],
    ['CanActAs', [right('CanActAs', alice)], 200, 200, 403, 403],
    ['CanReadAs', [right('CanReadAs', alice)], 403, 200, 403, 403],
    ['CanReadAsAnyParty', [right('CanReadAsAnyParty')], 403, 200, 200, 403],
    ['CanActAs eve', [right('CanActAs', eve)], 403, 403, 403, 403],
    ['CanReadAs eve', [right('CanReadAs', eve)], 403, 403, 403, 403],
    ['CanExecuteAs', [right('CanExecuteAs', alice)], 403, 403, 403, 403],
    ['CanExecuteAsAnyParty', [right('CanExecuteAsAnyParty')], 403, 403, 403, 403],
  ]
  for (const [index, [title, rights, ...expected]] of rows.entries()) {
    await createUser(`user-${index}`, rights)
    const headers = await as(`user-${index}`)
    const found = [
      (await submitAs(headers)).status,
      await lookUp(headers, [alice]),
      await lookUp(headers, []),
      await vet(headers),
    ]
    t.strictSame(found, expected, title)
    for (const path of ['/v2/state/ledger-end', '/v2/authenticated-user']) {
      t.equal(await asUser(headers, path), 200, `${title}: any user may call ${path}`)
    }
  }
  t.equal(await lookUp(await as('user-3'), [alice, environment.bob]), 403, 'each of several parties')
  t.equal(await lookUp(await as('user-3'), ['!']), 403, 'rights are checked before the grammar of a party')
  const actor = await as('actor')
  const submitting = async (more: JsonObject) =>
    seen(await wire.post(submitPath, submission({ userId: '', ...more }), actor))
  t.equal(await submitting({ userId: 'actor' }), 200)
  t.equal(await submitting({ userId: 'somebody-else' }), 403)
  t.equal(await submitting({ actAs: [alice, environment.bob] }), 403)
  t.equal(await submitting({ readAs: [alice] }), 200, 'CanActAs includes reading')
  t.equal(await submitting({ readAs: [environment.bob] }), 403)
  t.equal(
    await submitting({ actAs: ['!'] }),
    '400 INVALID_ARGUMENT',
    'commands are converted before rights are checked',
  )
  t.equal(await submitting({ actAs: ['!'], commands: [] }), 403, 'without a command, rights are checked first')
  await createUser('both', [right('CanActAs', 'b::12'), right('CanReadAs', 'a::12')])
  const often = (party: string): string[] => Array.from({ length: 300_000 }, () => party)
  const repeated = submission({ userId: '', commands: [], actAs: often('b::12'), readAs: often('a::12') })
  t.equal(
    seen(await wire.post(submitPath, repeated, await as('both'))),
    '400 MISSING_FIELD',
    'repeated parties are checked once',
  )
  const revoke = await wire.send({
    method: 'PATCH',
    path: '/v2/users/actor/rights',
    headers: bearer(await sign(adminClaims())),
    body: JSON.stringify({ userId: 'actor', rights: [{ kind: right('CanActAs', alice) }] }),
  })
  t.equal(revoke.status, 200)
  t.equal(await submitting({}), 403, 'a revoked right')
})

t.test('rejects unknown, deactivated and malformed users on every path', async (t) => {
  const { environment, createUser, as } = await guarded(t)
  await createUser('off', [right('ParticipantAdmin')], true)
  const refusals: [user: string, expected: number | string][] = [
    ['off', 403],
    ['ghost', 403],
    ['not a user id', '400 INVALID_TOKEN'],
  ]
  for (const [user, expected] of refusals) {
    const headers = await as(user)
    for (const { method, path } of endpoints) {
      if (path.startsWith('/docs/')) continue // ignores tokens
      const request = { method: method.toUpperCase(), path: path.replace(/:\w+/, 'x'), headers }
      const answer = await environment.wire.send({ ...request, ...(method !== 'get' && { body: '{' }) })
      t.equal(seen(answer), expected, `${user}: ${method} ${path}`)
    }
    t.equal((await environment.wire.post('/v2/nothing', {}, headers)).status, 404)
    t.equal((await environment.wire.send({ method: 'GET', path: submitPath, headers })).status, 405)
    t.equal(
      (await environment.wire.send({ path: submitPath, headers, body: '{"commands":' })).status,
      Number(String(expected).slice(0, 3)),
      'before the body is decoded',
    )
  }
  t.equal(
    (await environment.wire.send({ method: 'GET', path: '/v2/version' })).status,
    200,
    'an operation without authorization',
  )
})

t.test('reports the mistakes of a request in the order of the reference', async (t) => {
  const { environment, createUser, claims, as } = await guarded(t)
  const { wire, alice, submission } = environment
  await createUser('right', [right('CanActAs', alice), right('ParticipantAdmin')])
  await createUser('wrong', [])
  await createUser('off', [], true)
  const unauthenticated = [
    {},
    bearer(await sign({ ...claims('right'), exp: 1 })),
    bearer(await sign(claims('right'), new Uint8Array(32))),
  ]
  const callers = [...unauthenticated, await as('wrong'), await as('ghost'), await as('off'), await as('right')]
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
    unauthenticated: unknown,
    withoutRights: unknown,
    withRights: unknown,
  ][] = [
    ['malformed JSON', submitPath, '{', '400 text', '400 text', '400 text'],
    ['malformed JSON', lookUpPath, '{', '400 text', '400 text', '400 text'],
    ['a missing member', submitPath, '{}', '400 text', '400 text', '400 text'],
    ['an unknown package', submitPath, body(unknownName), ...thrice('404 PACKAGE_NAMES_NOT_FOUND')],
    ['no acting party', submitPath, body({ actAs: [] }), ...thrice('400 MISSING_FIELD')],
    ['a wrong JSON type', submitPath, body(wrongKind), ...thrice('500 LEDGER_API_INTERNAL_ERROR')],
    ['no commands', submitPath, body({ commands: [] }), 401, 403, '400 MISSING_FIELD'],
    ['a bad command id', submitPath, body({ commandId: 'ü' }), 401, 403, '400 INVALID_FIELD'],
    ['a bad contract id', lookUpPath, bad, 401, 403, '400 INVALID_FIELD'],
    ['malformed JSON', vettingPath, '{', '400 text', '400 text', '400 text'],
    ['a wrong type', vettingPath, '{"dryRun":1}', '400 text', '400 text', '400 text'],
    ['no operation', vettingPath, '{"changes":[{}]}', 401, 403, '400 PROTO_DESERIALIZATION_FAILURE'],
  ]
  for (const [title, path, text, ...expected] of rows) {
    const [first, withoutRights, withRights] = expected
    const found: unknown[] = []
    for (const headers of callers) found.push(seen(await wire.send({ path, headers, body: text })))
    t.strictSame(found, [first, first, first, withoutRights, 403, 403, withRights], `${title}: ${path}`)
  }
})

const thrice = <T>(value: T): [T, T, T] => [value, value, value]
