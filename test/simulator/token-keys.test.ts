/** With which keys tokens are checked, where the keys come from, and what cannot be used as one. */
import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { exportJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import t from 'tap'
import { SettingError, startSimulator } from '../../simulator/simulator.js'
import {
  adminClaims,
  bearer,
  guarded,
  type Key,
  secondsFromNow,
  seen,
  sign,
} from '../support/ledgers/guarded-environment.js'
import type { SimulatorEnvironment } from '../support/ledgers/simulator-environment.js'
import { listen } from '../support/servers/raw-target.js'
import { connect } from '../support/servers/wire.js'

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })

const keyPairs: [algorithm: string, make: () => KeyPairKeyObjectResult][] = [
  ['RS256', rsa],
  ['ES256', () => ec('P-256')],
  ['ES512', () => ec('P-521')],
]

const spki = (key: KeyObject): string => String(key.export({ type: 'spki', format: 'pem' }))

/** Whether the participant answers to this token: it only has to be a user's. */
const answersTo = async (environment: SimulatorEnvironment, token: string | Promise<string>) =>
  seen(await environment.wire.send({ method: 'GET', path: '/v2/state/ledger-end', headers: bearer(await token) }))

for (const [algorithm, pair] of keyPairs) {
  t.test(`tokens that are signed with a key pair: ${algorithm}`, async (t) => {
    const { publicKey, privateKey } = pair()
    const pem = spki(publicKey)
    const file = join(t.testdir({ 'key.pem': pem }), 'key.pem')
    const sealed = (claims: object, key: Key = privateKey) => sign(claims, key, algorithm)
    const { environment, claims } = await guarded(t, `${algorithm.toLowerCase()}:${file}`, sealed)
    const admin = claims('participant_admin')
    t.equal(await answersTo(environment, sealed(admin)), 200)
    t.equal(await answersTo(environment, sealed(admin, pair().privateKey)), 401, 'another key')
    t.equal(await answersTo(environment, sealed({ ...admin, exp: secondsFromNow(-1) })), 401, 'expired')
    t.equal(await answersTo(environment, sign(admin, Buffer.from(pem))), 401, 'the public key as a secret')
    t.equal(await answersTo(environment, new UnsecuredJWT(admin).encode()), 401)
    for (const [other, make] of keyPairs) {
      if (other === algorithm) continue
      t.equal(
        await answersTo(environment, sign(admin, make().privateKey, other)),
        401,
        `an algorithm of others: ${other}`,
      )
    }
  })
}

t.test('tokens whose keys a server publishes', async (t) => {
  const printed = t.capture(console, 'error')
  const pairs = keyPairs.map(([algorithm, make]) => ({ algorithm, kid: `key-${algorithm}`, ...make() }))
  const published = async () =>
    Promise.all(pairs.map(async ({ publicKey, kid }) => ({ ...(await exportJWK(publicKey)), kid })))
  let keys: object[] = []
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    response.writeHead(request.url === '/keys?code=7x7' ? 200 : 404).end(JSON.stringify({ keys }))
  })
  const url = await listen(t, server)
  const [first, ...rest] = pairs
  if (!first) throw new Error('there are key pairs')
  const signed = (claims: object, { privateKey, algorithm, kid }: Omit<typeof first, 'publicKey'>) =>
    new SignJWT({ ...claims } as JWTPayload).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey)
  keys = await published()
  const { environment, claims } = await guarded(t, `jwks:${url}/keys?code=7x7`, (claims) => signed(claims, first))
  const admin = claims('participant_admin')
  for (const pair of [first, ...rest]) t.equal(await answersTo(environment, signed(admin, pair)), 200, pair.algorithm)
  t.equal(asked, 1, 'keys are fetched once')

  const stranger = { ...first, privateKey: rsa().privateKey }
  t.equal(await answersTo(environment, signed(admin, stranger)), 401, 'another key under the same name')
  t.equal(await answersTo(environment, signed(admin, { ...first, kid: 'unknown' })), 401)
  t.equal(
    await answersTo(environment, signed(admin, { ...first, algorithm: 'PS256' })),
    401,
    'not an algorithm of ours',
  )
  t.equal(await answersTo(environment, signed({ ...admin, exp: secondsFromNow(330) }, first)), 401)
  for (const secret of [spki(first.publicKey), JSON.stringify(keys[0])]) {
    t.equal(await answersTo(environment, sign(admin, Buffer.from(secret))), 401, 'what is public is no secret')
  }
  t.equal(await answersTo(environment, new UnsecuredJWT(admin).encode()), 401)
  t.strictSame(printed(), [], 'the faults of tokens are nobody else’s business')
})

t.test('keys that cannot be fetched refuse every token, and a line says why', async (t) => {
  const secretQuery = 'code=7x7'
  const answers: [title: string, status: number, body: string, told: RegExp][] = [
    ['an error', 500, '', /Expected 200 OK/],
    ['no JSON', 200, 'nonsense', /as JSON/],
    ['no keys', 200, '{"keys":7}', /malformed/],
  ]
  const { privateKey } = rsa()
  const token = await sign(adminClaims(), privateKey, 'RS256')
  const printed = t.capture(console, 'error')
  const told = () => printed().map(({ args }) => args.map(String).join(' '))
  const ask = async (url: string): Promise<string[]> => {
    const simulator = await startSimulator({ authorization: `jwks:${url}/keys?${secretQuery}` })
    const wire = connect(simulator.url)
    const answer = await wire.send({ method: 'GET', path: '/v2/state/ledger-end', headers: bearer(token) })
    t.equal(seen(answer), 401)
    t.equal((await wire.send({ method: 'GET', path: '/v2/version' })).status, 200, 'it is still there')
    await wire.close()
    await simulator.close()
    const lines = told()
    t.equal(lines.length, 1)
    t.match(lines[0], `no keys from ${url}/keys`)
    t.notMatch(lines[0], secretQuery)
    t.notMatch(lines[0], token)
    return lines
  }
  for (const [title, status, body, expected] of answers) {
    const url = await listen(
      t,
      createServer((_, response) => response.writeHead(status).end(body)),
    )
    t.match((await ask(url))[0], expected, title)
  }
  const gone = createServer()
  const url = await listen(t, gone)
  await new Promise((resolve) => gone.close(resolve))
  t.match((await ask(url))[0], /ECONNREFUSED/)
})

t.test('settings of authorization that cannot be used', async (t) => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const folder = t.testdir({
    'no-key.pem': 'no key',
    'p256.pem': spki(ec('P-256').publicKey),
    'small.pem': spki(short),
  })
  const [file, p256, small] = [join(folder, 'no-key.pem'), join(folder, 'p256.pem'), join(folder, 'small.pem')]
  const settings: [authorization: string, told: RegExp][] = [
    ...['', 'none:', 'hs256', 'hs256:', 'hs512:x', 'rs512:x', 'toString:x', 'jwks:', 'secret-secret'].map(
      (setting): [string, RegExp] => [setting, /^authorization: expected none, hs256:SECRET, .* or jwks:URL$/],
    ),
    [`rs256:${file}`, /no public key could be read from/],
    [`es256:${file}.gone`, /no public key could be read from .*ENOENT/],
    [`rs256:${p256}`, /rs256 needs an RSA key of at least 2048 bits/],
    [`rs256:${small}`, /rs256 needs an RSA key of at least 2048 bits/],
    [`es512:${p256}`, /es512 needs a key on the curve P-521/],
    ['jwks:secret-secret', /jwks needs an http or https URL/],
    ['jwks:file:///secret-secret', /jwks needs an http or https URL/],
    ['jwks:https://me:secret-secret@example.com', /without a user name and password/],
  ]
  for (const [authorization, told] of settings) {
    const error = await startSimulator({ authorization }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof SettingError)) t.fail(`${authorization} was taken`)
    else t.match(error.message, told)
    t.notMatch(String(error), /secret-secret/)
  }
  const simulator = await startSimulator({ authorization: `es256:${p256}` })
  await simulator.close()
})
