/** Keys that verify tokens, their sources, and invalid keys. */
import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { exportJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import t, { type Test } from 'tap'
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

/** Any user suffices. */
const answersTo = async (environment: SimulatorEnvironment, token: string | Promise<string>) =>
  seen(await environment.wire.send({ method: 'GET', path: '/v2/state/ledger-end', headers: bearer(await token) }))

for (const [algorithm, pair] of keyPairs) {
  t.test(`accepts tokens that are signed with a key pair: ${algorithm}`, async (t) => {
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
      t.equal(await answersTo(environment, sign(admin, make().privateKey, other)), 401, `another algorithm: ${other}`)
    }
  })
}

t.test('accepts tokens whose keys a server publishes', async (t) => {
  const printed = t.capture(console, 'error')
  const pairs = keyPairs.map(([algorithm, make]) => ({ algorithm, kid: `key-${algorithm}`, ...make() }))
  const published = async () =>
    Promise.all(pairs.map(async ({ publicKey, kid }) => ({ ...(await exportJWK(publicKey)), kid })))
  let keys: object[] = []
  let fetches = 0
  const server = createServer((request, response) => {
    fetches += 1
    response.writeHead(request.url === '/keys?code=7x7' ? 200 : 404).end(JSON.stringify({ keys }))
  })
  const url = await listen(t, server)
  const [first, ...rest] = pairs
  if (!first) throw new Error('no key pair exists')
  const signed = (claims: object, { privateKey, algorithm, kid }: Omit<typeof first, 'publicKey'>) =>
    new SignJWT({ ...claims } as JWTPayload).setProtectedHeader({ alg: algorithm, kid }).sign(privateKey)
  keys = await published()
  const { environment, claims } = await guarded(t, `jwks:${url}/keys?code=7x7`, (claims) => signed(claims, first))
  const admin = claims('participant_admin')
  for (const pair of [first, ...rest]) t.equal(await answersTo(environment, signed(admin, pair)), 200, pair.algorithm)
  t.equal(fetches, 1, 'keys are fetched once')

  const otherKey = { ...first, privateKey: rsa().privateKey }
  t.equal(await answersTo(environment, signed(admin, otherKey)), 401, 'another key under the same name')
  t.equal(await answersTo(environment, signed(admin, { ...first, kid: 'unknown' })), 401)
  t.equal(
    await answersTo(environment, signed(admin, { ...first, algorithm: 'PS256' })),
    401,
    'an unsupported algorithm',
  )
  t.equal(await answersTo(environment, signed({ ...admin, exp: secondsFromNow(330) }, first)), 401)
  for (const secret of [spki(first.publicKey), JSON.stringify(keys[0])]) {
    t.equal(await answersTo(environment, sign(admin, Buffer.from(secret))), 401, 'the public key is not a secret')
  }
  t.equal(await answersTo(environment, new UnsecuredJWT(admin).encode()), 401)
  t.strictSame(printed(), [], 'token errors are not printed')
})

t.test('rejects all tokens and prints the reason if keys cannot be fetched', async (t) => {
  const secretQuery = 'code=7x7'
  const answers: [title: string, status: number, body: string, message: RegExp][] = [
    ['an error', 500, '', /Expected 200 OK/],
    ['malformed JSON', 200, 'nonsense', /as JSON/],
    ['without keys', 200, '{"keys":7}', /malformed/],
  ]
  const { privateKey } = rsa()
  const token = await sign(adminClaims(), privateKey, 'RS256')
  const printed = t.capture(console, 'error')
  const printedLines = () => printed().map(({ args }) => args.map(String).join(' '))
  const ask = async (url: string): Promise<string[]> => {
    const simulator = await startSimulator({ authorization: `jwks:${url}/keys?${secretQuery}` })
    const wire = connect(simulator.url)
    const answer = await wire.send({ method: 'GET', path: '/v2/state/ledger-end', headers: bearer(token) })
    t.equal(seen(answer), 401)
    t.equal((await wire.send({ method: 'GET', path: '/v2/version' })).status, 200, 'the server still runs')
    await wire.close()
    await simulator.close()
    const lines = printedLines()
    t.equal(lines.length, 1)
    t.match(lines[0], `cannot fetch keys from ${url}/keys`)
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

t.test('rejects unusable authorization settings', async (t) => {
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const folder = t.testdir({
    'no-key.pem': 'without a key',
    'p256.pem': spki(ec('P-256').publicKey),
    'small.pem': spki(short),
  })
  const [file, p256, small] = [join(folder, 'no-key.pem'), join(folder, 'p256.pem'), join(folder, 'small.pem')]
  const settings: [authorization: string, message: RegExp][] = [
    ...['', 'none:', 'hs256', 'hs256:', 'hs512:x', 'rs512:x', 'toString:x', 'jwks:', 'secret-secret'].map(
      (setting): [string, RegExp] => [setting, /^authorization: expected none, hs256:SECRET, .* or jwks:URL$/],
    ),
    [`rs256:${file}`, /cannot read a public key from/],
    [`es256:${file}.gone`, /cannot read a public key from .*ENOENT/],
    [`rs256:${p256}`, /rs256 needs an RSA key of at least 2048 bits/],
    [`rs256:${small}`, /rs256 needs an RSA key of at least 2048 bits/],
    [`es512:${p256}`, /es512 needs a key on the curve P-521/],
    ['jwks:secret-secret', /jwks needs an http or https URL/],
    ['jwks:file:///secret-secret', /jwks needs an http or https URL/],
    ['jwks:https://me:secret-secret@example.com', /without a user name and password/],
  ]
  for (const [authorization, message] of settings) {
    const error = await startSimulator({ authorization }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof SettingError)) t.fail(`${authorization} was accepted`)
    else t.match(error.message, message)
    t.notMatch(String(error), /secret-secret/)
  }
  const simulator = await startSimulator({ authorization: `es256:${p256}` })
  await simulator.close()
})

async function keyServer(t: Test, reply: (response: ServerResponse) => void): Promise<string> {
  return listen(
    t,
    createServer((_, response) => reply(response)),
  )
}

t.test('limits key sets in size and number', async (t) => {
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
    message: RegExp | undefined,
  ][] = [
    ['one key', (response) => response.end(JSON.stringify({ keys: [jwk] })), true, undefined],
    ['too many keys', (response) => response.end(copies(101)), false, /more than 100 keys/],
    ['an endless body', dripping, false, /more than 262144 bytes/],
    [
      'a redirect to the keys',
      (response) => response.writeHead(302, { location: '/keys' }).end(),
      false,
      /cannot fetch keys from/,
    ],
  ]
  for (const [title, reply, accepted, message] of rows) {
    const simulator = await startSimulator({ authorization: `jwks:${await keyServer(t, reply)}/keys` })
    const wire = connect(simulator.url)
    const headers = bearer(await sign(adminClaims(), privateKey, 'ES256'))
    const answer = await wire.send({ method: 'GET', path: '/v2/users', headers })
    t.equal(answer.status, accepted ? 200 : 401, title)
    const lines = printed().map(({ args }) => args.map(String).join(' '))
    if (message) t.match(lines.join('\n'), message, title)
    else t.strictSame(lines, [], title)
    await wire.close()
    await simulator.close()
  }
})
