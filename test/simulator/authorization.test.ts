/** Padding of tokens, and users whom the simulator rejects on every path. */
import t from 'tap'
import { endpoints } from '../../simulator/endpoints.js'
import { adminClaims, bearer, guarded, right, seen, sign } from '../support/ledgers/guarded-environment.js'
import { submitPath } from '../support/ledgers/simulator-environment.js'

t.test('a token may have padding only at its end', async (t) => {
  const { environment } = await guarded(t)
  const token = await sign(adminClaims())
  const statusFor = async (sent: string): Promise<number> =>
    (await environment.wire.send({ method: 'GET', path: '/v2/state/ledger-end', headers: bearer(sent) })).status
  t.equal(await statusFor(`${token}=`), 200)
  t.equal(await statusFor(`${token.replaceAll('.', '=.')}==`), 401, 'in every part')
  t.equal(await statusFor(`${token}+/`), 401, 'the base64 alphabet')
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
