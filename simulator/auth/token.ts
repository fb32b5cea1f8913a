import { errors, type JWTPayload, jwtVerify } from 'jose'
import { type KeySource, readKeySource } from './key-source.js'

export type TokenVerifier = (token: string, participantId: string) => Promise<Claims | Rejection>

/** `foreign`: the audience is a different participant. */
export interface Claims {
  subject: string
  foreign: boolean
  /** Seconds since 1970. */
  expiresAt: number
}

/** Not sent to the client. */
interface Rejection {
  rejected: string
}

const audiencePrefix = 'https://daml.com/jwt/aud/participant/'
const ledgerScope = 'daml_ledger_api'

/** `maxLifetime` is in seconds. Rejects with `SettingError`. */
export async function readAuthorization(setting: string, maxLifetime: number): Promise<TokenVerifier> {
  return verifier(await readKeySource(setting), maxLifetime)
}

/** `jose` also accepts padding, whitespace and the standard alphabet. */
const isBase64url = /^[\w.-]*$/

const verifier =
  ({ key, algorithms }: KeySource, maxLifetime: number): TokenVerifier =>
  async (token, participantId) => {
    if (!isBase64url.test(token)) return { rejected: 'its parts are not base64url without padding (RFC 7515)' }
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [...algorithms],
        requiredClaims: ['sub', 'exp'],
      })
      return accept(payload, participantId, maxLifetime)
    } catch (error) {
      return { rejected: whyRejected(error, algorithms) }
    }
  }

function accept(payload: JWTPayload, participantId: string, maxLifetime: number): Claims | Rejection {
  const { sub, exp = Number.POSITIVE_INFINITY, aud, scope } = payload
  if (typeof sub !== 'string' || sub === '') return { rejected: 'its sub is not a user id' }
  const lifetime = exp - Date.now() / 1000
  if (lifetime > maxLifetime) {
    const limit = `the limit is ${maxLifetime} s (--max-token-lifetime, library: maxTokenLifetime)`
    return { rejected: `it expires ${Math.round(lifetime)} s from now, and ${limit}` }
  }
  // Claims have no verified type.
  const audiences: unknown[] = aud === undefined ? [] : [aud].flat()
  if (audiences.includes(audiencePrefix + participantId)) return { subject: sub, foreign: false, expiresAt: exp }
  const scopes = typeof scope === 'string' ? scope.split(' ') : []
  if (scopes.includes(ledgerScope) && (audiences.length === 0 || audiences.includes(participantId))) {
    return { subject: sub, foreign: false, expiresAt: exp }
  }
  if (audiences.some((audience) => typeof audience === 'string' && audience.startsWith(audiencePrefix)))
    return { subject: sub, foreign: true, expiresAt: exp }
  const expected = `aud ${audiencePrefix}${participantId}, or scope ${ledgerScope} without another aud`
  return { rejected: `it is not for this participant: expected ${expected}` }
}

/** Repeats no unverified content. */
function whyRejected(error: unknown, algorithms: readonly string[]): string {
  if (error instanceof errors.JWTExpired) return `it expired at ${timeOf(error.payload.exp)}`
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason, payload } = error
    if (claim === 'nbf' && reason === 'check_failed') return `it is not valid before ${timeOf(payload.nbf)} (nbf)`
    return `its ${claim} is ${reason === 'missing' ? 'missing' : 'invalid'}`
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'its signature does not match the key'
  if (error instanceof errors.JOSEAlgNotAllowed) return `its alg is not ${algorithms.join(' or ')}`
  if (error instanceof errors.JWKSNoMatchingKey) return 'the key set has no key for its kid and alg'
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'the key set has several keys for it, and it names no kid'
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return 'it is not a signed JWT'
  return 'it cannot be checked, because the key set cannot be read'
}

function timeOf(seconds: number | undefined): string {
  const date = new Date(Number(seconds) * 1000)
  return Number.isNaN(date.getTime()) ? `${seconds} s after 1970` : date.toISOString()
}
