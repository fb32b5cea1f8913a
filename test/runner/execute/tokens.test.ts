// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of suites are written like that
import { decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose'
import t from 'tap'
import type { JsonValue } from '../../../lib/json/json.js'
import { Redaction } from '../../../lib/redaction/redaction.js'
import { createTokens } from '../../../runner/execute/tokens.js'
import type { TokenVariant } from '../../../runner/suite/suite.js'
import { fixedToken } from '../../../runner/target/credentials/token-sources.js'
import { VariableError } from '../../../runner/template/variables.js'
import { readTarget } from '../../support/suites/plain-target.js'

const variables = new Map<string, JsonValue>([
  ['run', 'r1'],
  ['text', 'a.c'],
])
const secret = 'a secret of the test'
const tokenOf = async (header: Promise<string | undefined>): Promise<string> =>
  (await header)?.replace(/^Bearer /, '') ?? ''

t.test('tokens contain user and participant, and are renewed a minute before they expire', async (t) => {
  const redaction = new Redaction()
  let participant: string | undefined
  let now = 1_800_000_000_000
  const target = readTarget('http://127.0.0.1:1', `hs256:${secret}`)
  const tokens = createTokens(target, () => participant, redaction, { wall: () => now, elapsed: () => now })
  const own = (user: string): Promise<string> => tokenOf(tokens.header(user, undefined, variables))
  const first = await own('alice')
  const { payload, protectedHeader } = await jwtVerify(first, Buffer.from(secret), { currentDate: new Date(now) })
  t.strictSame(payload, { sub: 'alice', exp: 1_800_000_240, scope: 'daml_ledger_api' })
  t.strictSame(protectedHeader, { alg: 'HS256', typ: 'JWT' })
  participant = 'participant::1220'
  const known = await own('alice')
  t.strictSame(decodeJwt(known), {
    sub: 'alice',
    exp: 1_800_000_240,
    aud: 'https://daml.com/jwt/aud/participant/participant::1220',
  })
  now += 179_000
  t.equal(await own('alice'), known, 'kept while it is valid')
  t.not(await own('bob'), known)
  now += 1_000
  const renewed = await own('alice')
  t.equal(decodeJwt(renewed).exp, 1_800_000_420)
  t.equal(await own('alice'), renewed)
  for (const token of [first, known, renewed, secret]) t.notMatch(redaction.clean(`<${token}>`), token)
})

t.test('an invalid token differs from a valid one only in its variant', async (t) => {
  const redaction = new Redaction()
  const now = 1_800_000_000_000
  const target = readTarget('http://127.0.0.1:1', `hs256:${secret}`)
  const tokens = createTokens(target, () => 'p', redaction, { wall: () => now, elapsed: () => now })
  const odd = async (variant: Partial<TokenVariant>): Promise<string> => {
    const token = await tokenOf(tokens.header('alice', { name: 'odd', meaning: '', ...variant }, variables))
    if (token.startsWith('ey')) t.equal(redaction.clean(token), '[redacted: token of alice, odd]')
    return token
  }
  const verified = (token: string, key: string): Promise<unknown> =>
    jwtVerify(token, Buffer.from(key), { currentDate: new Date(now) })
  const usual = { sub: 'alice', exp: 1_800_000_240, aud: 'https://daml.com/jwt/aud/participant/p' }
  t.equal(await tokens.header('alice', { name: 'n', meaning: '', none: true }, variables), undefined)
  t.equal(await tokens.header('alice', { name: 'h', meaning: '', header: 'Basic x' }, variables), 'Basic x')
  const claims = { exp: { 'in-seconds': -60 }, sub: null, iss: ['${text}'], nbf: 7 }
  t.strictSame(decodeJwt(await odd({ claims })), { exp: 1_799_999_940, aud: usual.aud, iss: ['a.c'], nbf: 7 })
  const foreign = await odd({ secret: 'another' })
  t.strictSame(decodeJwt(foreign), usual)
  await t.rejects(verified(foreign, secret), { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' })
  await verified(foreign, 'another')
  const unsigned = await odd({ algorithm: 'none' })
  t.match(unsigned, /^[^.]+\.[^.]+\.$/)
  t.strictSame(decodeProtectedHeader(unsigned), { alg: 'none' })
  t.strictSame(decodeJwt(unsigned), usual)
  const long = await odd({ algorithm: 'HS512' })
  t.equal(decodeProtectedHeader(long).alg, 'HS512')
  await verified(long, secret)
  await t.rejects(odd({ algorithm: 'RS256' }), VariableError)
  const own = await tokenOf(tokens.header('alice', undefined, variables))
  const signature = (token: string): string | undefined => token.split('.')[2]
  const empty = await odd({ signature: 'empty' })
  t.equal(empty, own.replace(/[^.]+$/, ''), 'the usual token without its signature')
  const exchanged = await odd({ signature: 'of-another-token', claims: { nbf: 7 } })
  t.equal(signature(exchanged), signature(own))
  t.strictSame(decodeJwt(exchanged), { ...usual, nbf: 7 })
  await t.rejects(verified(exchanged, secret), { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' })
  await t.rejects(odd({ claims: { sub: '${nowhere}' } }), VariableError)
})

t.test('a token that is an ordinary word is redacted in its run', async (t) => {
  const redaction = new Redaction()
  const source = fixedToken('opensesame', 'a setting')
  const callers = new Map([['alice', { user: 'alice', source }]])
  const tokens = createTokens({ authorization: { kind: 'given' }, callers }, () => undefined, redaction)
  t.equal(await tokens.header('alice', undefined, variables), 'Bearer opensesame')
  t.equal(redaction.clean('contains opensesame'), 'contains [redacted: token of alice]')
})
