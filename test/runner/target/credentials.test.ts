/** Kinds of credentials, and the renewal of their tokens. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeJwt, decodeProtectedHeader, jwtVerify, UnsecuredJWT } from 'jose'
import t, { type Test } from 'tap'
import { Redaction } from '../../../lib/redaction/redaction.js'
import { createTokens } from '../../../runner/execute/tokens.js'
import { plainConnection } from '../../../runner/target/connection/connection-settings.js'
import { CredentialError } from '../../../runner/target/credentials/credential-source.js'
import { type Clock, HeldToken, systemClock } from '../../../runner/target/credentials/held-token.js'
import { privateKey, secretKey } from '../../../runner/target/credentials/minting-key.js'
import { type ClientCredentials, oauth2Token } from '../../../runner/target/credentials/oauth2-token.js'
import {
  commandToken,
  environmentToken,
  fileToken,
  fixedToken,
} from '../../../runner/target/credentials/token-sources.js'
import { VariableError } from '../../../runner/template/variables.js'
import { tokenServer } from '../../support/servers/token-server.js'

interface HandClock extends Clock {
  pass(seconds: number): void
  /** Sets the time of day forward. */
  step(seconds: number): void
}

function handClock(): HandClock {
  let [wall, elapsed] = [1_800_000_000_000, 5_000]
  return {
    wall: () => wall,
    elapsed: () => elapsed,
    pass: (seconds) => {
      wall += seconds * 1000
      elapsed += seconds * 1000
    },
    step: (seconds) => {
      wall += seconds * 1000
    },
  }
}

const failure = (message: RegExp) => ({ name: 'CredentialError', message })
const none = new Map()

t.test('a token is renewed a minute before it expires, by a monotonic clock', async (t) => {
  const clock = handClock()
  let count = 0
  const fetch = async () => {
    count += 1
    return { token: `token-${count}`, seconds: 240 }
  }
  const held = new HeldToken(fetch, clock)
  t.strictSame(await Promise.all([held.current(), held.current()]), ['token-1', 'token-1'], 'one fetch for both')
  clock.pass(179)
  t.equal(await held.current(), 'token-1')
  clock.pass(1)
  t.equal(await held.current(), 'token-2')
  // After the change, an earlier token would be valid for an hour too long.
  clock.step(-3600)
  t.equal(await held.current(), 'token-3', 'renewed after the change')
  clock.pass(179)
  t.equal(await held.current(), 'token-3')
  clock.pass(1)
  t.equal(await held.current(), 'token-4', 'renewed by the elapsed time')
})

t.test('the next caller retries a failed fetch', async (t) => {
  let count = 0
  const fetch = async () => {
    count += 1
    if (count === 1) throw new CredentialError('not yet')
    return { token: 'a-token', seconds: undefined }
  }
  const clock = handClock()
  const held = new HeldToken(fetch, clock)
  await t.rejects(held.current(), failure(/not yet/))
  t.equal(await held.current(), 'a-token')
  clock.pass(46)
  await held.current()
  t.equal(count, 3, 'a token of unknown lifetime is renewed soon')
})

t.test('fixed tokens are returned until they expire', async (t) => {
  const clock = handClock()
  const ending = new UnsecuredJWT({ exp: clock.wall() / 1000 + 100 }).encode()
  const source = fixedToken(`Bearer ${ending}\n`, 'token in the settings', clock)
  t.equal(await source.token(), ending)
  clock.step(-1000)
  clock.pass(99)
  t.equal(await source.token(), ending)
  clock.pass(2)
  await t.rejects(
    source.token(),
    failure(/^token in the settings: it has expired\. Use a file, a command or OAuth2 to renew it\.$/),
  )
  t.equal(await environmentToken('T', { T: 'opaque' }, clock).token(), 'opaque')
  t.throws(() => environmentToken('T', {}, clock), failure(/^token from the environment variable T: it is not set$/))
  t.throws(() => environmentToken('toString', process.env, clock), failure(/toString: it is not set$/))
  t.throws(() => fixedToken('  ', 'it', clock), failure(/^it: it is empty$/))
  t.throws(() => fixedToken('planted secret', 'it', clock), failure(/^it: it contains more than a token$/))
})

t.test('a file is read again after a change', async (t) => {
  const path = join(t.testdir({ token: 'first\n' }), 'token')
  const source = fileToken(path)
  t.equal(await source.token(), 'first')
  await writeFile(path, 'other\n')
  // Two writes may have the same time stamp.
  await utimes(path, 1, 2)
  t.equal(await source.token(), 'other')
  await t.rejects(fileToken(`${path}s`).token(), failure(/^token from a file: it cannot be read \(ENOENT: .*\)$/))
})

t.test('a command runs again before its token expires', async (t) => {
  const folder = t.testdir({ count: '' })
  const clock = handClock()
  const script = `echo x >> count; printf '%s' "$(cat count | wc -l)"`
  const source = commandToken(script, folder, clock)
  t.match([await source.token(), await source.token()], ['1', '1'])
  clock.pass(50)
  t.match(await source.token(), '2')
  t.equal(await commandToken(['printf', '%s', 'a-word'], folder, clock).token(), 'a-word', 'a list needs no shell')
  const broken = commandToken('echo planted-secret >&2; exit 3', folder, clock)
  await t.rejects(broken.token(), {
    ...failure(/^token from a command: the command ended with 3$/),
    inFull: 'token from the command echo: the command ended with 3',
  })
  await t.rejects(commandToken(['no-such-program'], folder, clock).token(), failure(/the command ended with ENOENT$/))
  const endless = commandToken(['sleep', '60'], folder, clock, 50)
  await t.rejects(endless.token(), failure(/the command took more than 0\.05 s$/))
  const deaf = commandToken("trap '' TERM; sleep 60", folder, clock, 50)
  await t.rejects(deaf.token(), failure(/the command took more than 0\.05 s$/), 'also if it ignores SIGTERM')
})

t.test('client credentials of OAuth2 are sent in the header or in the form', async (t) => {
  const server = await tokenServer(t, { app: 'a secret: with+signs%' }, 100)
  const clock = handClock()
  const client = (more: Partial<ClientCredentials> = {}): ClientCredentials => ({
    tokenUrl: server.tokenUrl,
    clientId: 'app',
    clientSecret: 'a secret: with+signs%',
    authentication: 'basic',
    ...more,
  })
  const source = oauth2Token(client(), plainConnection, clock)
  t.equal(decodeJwt(await source.token()).sub, 'app')
  await source.token()
  t.equal(server.given.get('app'), 1)
  clock.pass(76)
  await source.token()
  t.equal(server.given.get('app'), 2, 'renewed after three quarters of a short lifetime')
  t.equal(decodeJwt(await oauth2Token(client({ authentication: 'form' }), plainConnection, clock).token()).sub, 'app')
  const wrong = oauth2Token(client({ clientSecret: 'planted-secret' }), plainConnection, clock)
  await t.rejects(
    wrong.token(),
    failure(/^OAuth2 token of the client app: the token server returned 401 \(invalid_client\)$/),
  )
  const nowhere = oauth2Token(client({ tokenUrl: 'http://127.0.0.1:1/' }), plainConnection, clock)
  await t.rejects(nowhere.token(), failure(/the token server cannot be reached \(ECONNREFUSED\)$/))
})

async function keyFile(t: Test, key: KeyObject): Promise<string> {
  const path = join(t.testdir({}), 'key.pem')
  await writeFile(path, key.export({ format: 'pem', type: 'pkcs8' }))
  return path
}

t.test('tokens are minted with keys of every kind, and invalid ones with another key', async (t) => {
  const pairs = {
    rs256: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    es256: generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey,
    es512: generateKeyPairSync('ec', { namedCurve: 'secp521r1' }).privateKey,
  }
  for (const [kind, own] of Object.entries(pairs) as [keyof typeof pairs, KeyObject][]) {
    const path = await keyFile(t, own)
    const key = privateKey(kind, path, { keyId: 'one', issuer: 'me', audience: 'you', scope: 'all', life: 60 })
    const redaction = new Redaction()
    const tokens = createTokens({ authorization: { kind: 'minted', key }, callers: none }, () => 'p', redaction)
    const token = (await tokens.header('alice', undefined, none))?.slice(7) ?? ''
    const { payload, protectedHeader } = await jwtVerify(token, createPublicKey(own))
    t.match(payload, { sub: 'alice', iss: 'me', aud: 'you', scope: 'all' })
    t.match(protectedHeader, { alg: kind.toUpperCase(), kid: 'one' })
    const falsely = (await tokens.header('alice', { name: 'w', meaning: '', secret: 'another' }, none))?.slice(7) ?? ''
    t.equal(decodeProtectedHeader(falsely).alg, kind.toUpperCase())
    await t.rejects(jwtVerify(falsely, createPublicKey(own)), { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' })
    await t.rejects(tokens.header('alice', { name: 'w', meaning: '', algorithm: 'HS384' }, none), {
      name: 'VariableError',
      message: /^the token w: the algorithm HS384 cannot sign with a key for [ER]S(?:256|512)$/,
    })
    for (const shown of [token, falsely, await readFile(path, 'utf8')]) t.notMatch(redaction.clean(`<${shown}>`), shown)
  }
  const other = await keyFile(t, pairs.es256)
  t.throws(
    () => privateKey('rs256', other),
    failure(/^rs256 requires a private RSA key of at least 2048 bits; .* contains another key$/),
  )
  t.throws(() => privateKey('rs256', `${other}x`), failure(/cannot be read \(ENOENT: .*\)$/))
  await writeFile(other, 'planted-secret')
  t.throws(() => privateKey('rs256', other), failure(/contains no private key in PEM without a passphrase$/))
})

t.test('without a signing key the run makes no invalid tokens', async (t) => {
  const source = fixedToken('opaque-token-of-alice', 'token in the settings', systemClock)
  const callers = new Map([['alice', { user: 'al', source }]])
  const redaction = new Redaction()
  const tokens = createTokens({ authorization: { kind: 'given' }, callers }, () => 'p', redaction)
  t.equal(await tokens.header('al', undefined, none), 'Bearer opaque-token-of-alice')
  t.notMatch(redaction.clean('<opaque-token-of-alice>'), 'opaque')
  t.equal(await tokens.header('al', { name: 'n', meaning: '', header: 'Basic x' }, none), 'Basic x')
  t.equal(await tokens.header('al', { name: 'n', meaning: '', none: true }, none), undefined)
  const expired = { name: 'expired', meaning: '', claims: { exp: 1 } }
  await t.rejects(tokens.header('al', expired, none), VariableError)
  await t.rejects(
    tokens.header('bob', undefined, none),
    failure(/^no token is configured for the user bob; add it under callers$/),
  )
  const mixed = createTokens(
    { authorization: { kind: 'minted', key: secretKey('s'.repeat(32)) }, callers },
    () => 'p',
    redaction,
  )
  t.equal(
    await mixed.header('al', undefined, none),
    'Bearer opaque-token-of-alice',
    'a configured token has precedence',
  )
  t.match(await mixed.header('bob', undefined, none), /^Bearer ey/)
})
