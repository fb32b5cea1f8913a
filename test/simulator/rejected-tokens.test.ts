/** Reasons for rejected tokens: in the journal and with --verbose, never in the answer; the lifetime of tokens. */
import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { findOverrides } from '../../lab/find-overrides.js'
import { type SimulatorOptions, startSimulator } from '../../simulator/simulator.js'
import { type ControlledEnvironment, controlled, get, member } from '../support/ledgers/controlled-environment.js'
import { adminClaims, audience, bearer, hmacKey, secondsFromNow, sign } from '../support/ledgers/guarded-environment.js'
import { connectTo } from '../support/ledgers/simulator-environment.js'
import { conform, simulate } from '../support/processes/conform-process.js'

const authorization = `hs256:${Buffer.from(hmacKey).toString()}`
const admin = async () => bearer(await sign(adminClaims()))

const guardedEnvironment = async (t: Parameters<typeof controlled>[0], options: SimulatorOptions = {}) =>
  controlled(t, { authorization, ...options }, await admin())

async function lastEntry({ control }: ControlledEnvironment): Promise<{ why: unknown; text: string }> {
  const answer = await control('GET /journal?last=1')
  const [entry = null] = [member(answer.json(), 'exchanges') ?? []].flat()
  return { why: member(entry, 'rejectedToken'), text: answer.text }
}

t.test(
  'records the reason of each rejected token in the journal, without the token, and sends no reason',
  async (t) => {
    const environment = await guardedEnvironment(t)
    const { participant } = environment
    await environment.wire.post('/v2/users', { user: { id: 'gone', isDeactivated: true } }, await admin())
    const exp = secondsFromNow(200)
    const aud = audience(participant)
    const own = { sub: 'participant_admin', aud, exp }
    const { aud: _aud, ...unaddressed } = own
    const { exp: _exp, ...endless } = own
    const rejected: [header: string | Promise<string>, status: number, why: RegExp][] = [
      [
        sign({ ...own, exp: 1_700_000_000 }),
        401,
        /^token rejected: its exp is in the past \(2023-11-14T22:13:20\.000Z\)$/,
      ],
      [
        sign({ ...own, exp: secondsFromNow(3600) }),
        401,
        /its exp is 3\d{3} s from now, and the limit is 300 s \(--max-token-lifetime, library: maxTokenLifetime\)$/,
      ],
      [sign({ ...own, nbf: 4_000_000_000 }), 401, /its nbf is in the future \(2096-10-02T07:06:40\.000Z\)$/],
      [sign(endless), 401, /its exp is missing$/],
      [sign({ aud, exp }), 401, /its sub is missing$/],
      [sign({ ...own, exp: 'tomorrow' }), 401, /its exp is invalid$/],
      [sign({ ...own, iat: 4_000_000_000 }), 401, /its iat is in the future \(2096-10-02T07:06:40\.000Z\)$/],
      [sign({ ...own, iss: 7 }), 401, /its iss is invalid$/],
      [sign({ ...own, sub: '' }), 400, /its sub "" is not a valid user id$/],
      [sign({ ...own, sub: 'a b\u009b\u202e' }), 400, /its sub "a b\\u009b\\u202e" is not a valid user id$/],
      [sign({ ...own, sub: 'stranger' }), 403, /the user "stranger" does not exist$/],
      [sign({ ...own, sub: 'gone' }), 403, /the user "gone" is deactivated$/],
      [
        sign({ ...own, aud: audience('another::12') }),
        403,
        /its aud names a participant other than \S+::1220[0-9a-f]+$/,
      ],
      [sign(unaddressed), 401, /it is not for this participant: expected aud https:\S+, or scope daml_ledger_api/],
      [sign({ ...own, aud: [7, null] }), 401, /its aud is invalid$/],
      [sign(own, Buffer.from('another secret of more than 32 bytes')), 401, /its signature does not match the key$/],
      [sign(own, hmacKey, 'HS512'), 401, /its alg is not HS256$/],
      ['a.b.c', 401, /it is not a signed JWT$/],
    ]
    for (const [given, status, why] of rejected) {
      const token = await given
      const answer = await environment.wire.send(get('/v2/parties', bearer(token)))
      t.equal(answer.status, status, String(why))
      t.notMatch(answer.text, /token rejected|stranger|expired|alg/, 'the answer contains no reason')
      const entry = await lastEntry(environment)
      t.match(entry.why, why)
      if (token.length > 8) t.notOk(entry.text.includes(token), 'the token is not stored')
    }
    const headers: [headers: Record<string, string>, why: string][] = [
      [{}, 'the request has no Authorization header'],
      [{ authorization: 'Basic YWxpY2U6c2VjcmV0' }, 'the Authorization header is not a bearer token'],
    ]
    for (const [given, why] of headers) {
      t.equal((await environment.wire.send(get('/v2/parties', given))).status, 401)
      t.equal((await lastEntry(environment)).why, why)
    }
    t.equal((await environment.wire.send(get('/v2/parties', await admin()))).status, 200)
    t.equal((await lastEntry(environment)).why, undefined, 'an accepted token has no reason')
    t.equal((await environment.wire.send(get('/livez'))).status, 200)
    t.equal((await lastEntry(environment)).why, undefined, 'a request without authorization has no reason')
  },
)

t.test('records the reason also for a mutant and for an unreadable key set', async (t) => {
  t.capture(console, 'error')
  const deviating = await guardedEnvironment(t, {
    overrides: findOverrides({ mutant: 'looked-up-created-at-left-out' }),
  })
  await deviating.wire.send(get('/v2/parties', bearer('a.b.c')))
  t.equal((await lastEntry(deviating)).why, 'token rejected: it is not a signed JWT')
  const unreadable = await startSimulator({ authorization: 'jwks:http://127.0.0.1:1/keys', control: true })
  const wire = connectTo(t, unreadable)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await wire.send(get('/v2/parties', bearer(await sign(adminClaims(), privateKey, 'ES256'))))
  t.match((await wire.send(get('/control/journal'))).text, /it cannot be checked, because the key set cannot be read/)
})

t.test('limits the lifetime of tokens by the option', async (t) => {
  const environment = await guardedEnvironment(t, { maxTokenLifetime: 3600 })
  const status = async (seconds: number) =>
    (
      await environment.wire.send(
        get('/v2/parties', bearer(await sign({ ...adminClaims(), exp: secondsFromNow(seconds) }))),
      )
    ).status
  t.strictSame([await status(3590), await status(3700)], [200, 401])
  t.match((await lastEntry(environment)).why, /the limit is 3600 s/)
  for (const maxTokenLifetime of [0, -1, 1.5, Number.NaN, 1_000_000_000, Number.POSITIVE_INFINITY]) {
    const expected = {
      option: 'maxTokenLifetime',
      message: /expected a whole number of seconds from 1 to 999999999, not /,
    }
    await t.rejects(startSimulator({ maxTokenLifetime }), expected, String(maxTokenLifetime))
  }
})

t.test('prints each request and each rejection reason with --verbose', async (t) => {
  const options = ['--authorization', authorization, '--max-token-lifetime', '60']
  const verbose = await simulate(...options, '--verbose')
  t.teardown(() => verbose.stop())
  const token = await sign(adminClaims())
  const { url } = verbose
  await fetch(`${url}/v2/parties?filter-party=${token}`, { headers: bearer(token) })
  await fetch(`${url}/v2/${token}/%1b`, { headers: { authorization: token, origin: 'http://localhost:3000' } })
  await t.resolves(verbose.stop())
  const [first, second, ...more] = verbose.errorOutput().trimEnd().split('\n')
  t.match(
    first,
    /^simulator: GET \/v2\/parties: 401, \d+ ms: token rejected: its exp is \d+ s from now, and the limit is 60 s/,
  )
  t.match(second, /^simulator: GET \/v2\/\[redacted.*\]\/%1b: 403, \d+ ms: a web page caused this request/)
  t.strictSame(more, [])
  t.notOk(verbose.errorOutput().includes(token), 'no token is printed')
  const wrong = await conform('simulate', '--max-token-lifetime', '0')
  t.match(wrong, {
    code: 2,
    stderr: /max-token-lifetime <seconds>' argument '0' is invalid. expected a whole number of at least 1/,
  })
})
