import { createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { errors } from 'jose'
import { readKeySource } from './key-source.js'

export type TokenVerifier = (token: string, participantId: string) => Promise<Claims | Rejection>

/**
 * `maxLifetime` is in seconds. Rejects with `SettingError`.
 * @example await readAuthorization('hs256:example', 300) // a `TokenVerifier`
 */
export async function readAuthorization(setting: string, maxLifetime: number): Promise<TokenVerifier> {
  const { keyFor, algorithms } = await readKeySource(setting)
  return async (text, participantId) => {
    const token = readToken(text)
    if (!token) return { rejected: 'it is not a signed JWT' }
    const { alg } = token.header
    if (typeof alg !== 'string' || !algorithms.includes(alg))
      return { rejected: `its alg is not ${algorithms.join(' or ')}` }
    try {
      const key = await keyFor({ ...token.header, alg })
      if (!isSigned(token, key)) return { rejected: 'its signature does not match the key' }
    } catch (error) {
      return { rejected: whyWithoutKey(error) }
    }
    return acceptClaims(token.claims, { participantId, maxLifetime, now: Date.now() / 1000 })
  }
}

function whyWithoutKey(error: unknown): string {
  if (error instanceof errors.JWKSNoMatchingKey) return 'the key set has no key for its kid and alg'
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'the key set has several keys for it, and it names no kid'
  return 'it cannot be checked, because the key set cannot be read'
}

/** A token in three parts, unverified. */
interface SignedToken {
  header: Readonly<Record<string, unknown>>
  claims: Readonly<Record<string, unknown>>
  /** The signed bytes. */
  input: string
  signature: Buffer
}

/** Undefined if the token is no JWT. Padding is permitted only at its end (observed on 3.5.10). */
function readToken(token: string): SignedToken | undefined {
  const [head = '', body = '', last = '', ...more] = token.split('.')
  const signature = last.length % 4 === 0 ? last.replace(/={1,2}$/, '') : last
  if (more.length > 0 || ![head, body, signature].every((part) => base64url.test(part))) return undefined
  const [header, claims] = [objectIn(head), objectIn(body)]
  return (
    header && claims && { header, claims, input: `${head}.${body}`, signature: Buffer.from(signature, 'base64url') }
  )
}

const base64url = /^[\w-]*$/

function objectIn(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/**
 * The reference ignores `crit`, so tokens with critical members verify. `jose` rejects them, and its function for the
 * signature alone is not public.
 */
function isSigned({ header, input, signature }: SignedToken, key: KeyObject): boolean {
  if (header['alg'] === 'HS256') {
    const expected = createHmac('sha256', key).update(input).digest()
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  }
  const digest = header['alg'] === 'ES512' ? 'sha512' : 'sha256'
  return verify(digest, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }, signature)
}

/** Of a token that the reference participant 3.5.10 accepts (observed). */
export interface Claims {
  subject: string
  /** The audience is a different participant. */
  foreign: boolean
  /** Seconds since 1970. */
  expiresAt: number
}

/** Not sent to the client. */
export interface Rejection {
  rejected: string
}

/** Times in seconds since 1970. */
interface Expected {
  participantId: string
  now: number
  maxLifetime: number
}

type GivenClaims = Readonly<Record<string, unknown>>

/** Undefined: acceptable. */
type ClaimRule = (value: unknown, expected: Expected) => string | undefined

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null

/** A fraction is permitted. */
const notAhead: ClaimRule = (value, { now }) => {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'number') return 'is invalid'
  return value > now ? `is in the future (${timeOf(value)})` : undefined
}

const rules: Readonly<Record<string, ClaimRule>> = {
  iat: notAhead,
  nbf: notAhead,
  exp: (value, { now, maxLifetime }) => {
    if (isAbsent(value)) return 'is missing'
    if (typeof value !== 'number' || !Number.isInteger(value)) return 'is invalid'
    if (value <= now) return `is in the past (${timeOf(value)})`
    const lifetime = value - now
    if (lifetime <= maxLifetime) return undefined
    const limit = `the limit is ${maxLifetime} s (--max-token-lifetime, library: maxTokenLifetime)`
    return `is ${Math.round(lifetime)} s from now, and ${limit}`
  },
  iss: (value) => (isAbsent(value) || typeof value === 'string' ? undefined : 'is invalid'),
  sub: (value) => {
    if (isAbsent(value)) return 'is missing'
    return typeof value === 'string' ? undefined : 'is invalid'
  },
  aud: (value) => (textsIn(value) ? undefined : 'is invalid'),
}

/** The signature is already verified. */
function acceptClaims(claims: GivenClaims, expected: Expected): Claims | Rejection {
  for (const [claim, rule] of Object.entries(rules)) {
    const problem = rule(claims[claim], expected)
    if (problem) return { rejected: `its ${claim} ${problem}` }
  }
  const addressee = addresseeOf(claims, expected.participantId)
  if (addressee !== 'this participant' && addressee !== 'another participant') return { rejected: addressee }
  // The rules above checked both types.
  const { sub, exp } = claims as { sub: string; exp: number }
  return { subject: sub, foreign: addressee === 'another participant', expiresAt: exp }
}

const audiencePrefix = 'https://daml.com/jwt/aud/participant/'
const ledgerScope = 'daml_ledger_api'

/** Returns the reason of a rejection otherwise. A participant URL makes the scope irrelevant. */
function addresseeOf(claims: GivenClaims, participantId: string): string {
  const audiences = textsIn(claims['aud']) ?? []
  const named = audiences.filter((audience) => audience.startsWith(audiencePrefix))
  const [only = ''] = named
  if (named.length === 1 && only !== audiencePrefix) return nameOf(only.slice(audiencePrefix.length), participantId)
  const wanted = `expected aud ${audiencePrefix}${participantId}, or scope ${ledgerScope} without another aud`
  if (named.length > 0 || audiences.length > 1 || !scopesOf(claims).includes(ledgerScope))
    return `it is not for this participant: ${wanted}`
  return nameOf(audiences[0] ?? participantId, participantId)
}

const nameOf = (id: string, participantId: string): string =>
  id === participantId ? 'this participant' : 'another participant'

/** `scp` counts only if `scope` is no string. */
function scopesOf({ scope, scp }: GivenClaims): readonly string[] {
  return typeof scope === 'string' ? scope.split(' ') : (textsIn(scp) ?? [])
}

/** Undefined if it is neither a string nor a list of strings; absent: empty. */
function textsIn(value: unknown): readonly string[] | undefined {
  const list: unknown[] = isAbsent(value) ? [] : [value].flat()
  return list.every((item) => typeof item === 'string') ? list : undefined
}

function timeOf(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? `${seconds} s after 1970` : date.toISOString()
}
