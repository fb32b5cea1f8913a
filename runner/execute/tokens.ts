/** Mints the tokens of a run. They live four minutes and are renewed in time: participants accept five at most. */
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import type { JsonValue } from '../../interface/json.js'
import { isJsonObject } from '../../interface/json.js'
import type { Redaction } from '../../interface/redaction.js'
import type { TokenTemplate } from '../../record/resolved-row.js'
import type { Target } from '../target/target.js'
import type { Variables } from '../template/variables.js'
import { fill, VariableError } from '../template/variables.js'

const lifeSeconds = 240
const renewBefore = 60

export interface Tokens {
  /** The Authorization header with which this user calls; undefined where nobody is asked for a token. */
  header(userId: string, variant: TokenTemplate | undefined, variables: Variables): Promise<string | undefined>
}

/** What HMAC can sign; a token of another algorithm would take keys that no target setting gives. */
const algorithms = ['HS256', 'HS384', 'HS512']

/**
 * `participantId` names the audience; until it is known, tokens carry the ledger scope instead. `now` is in milliseconds.
 * Asked for a token that cannot be made, `header` rejects with `VariableError`.
 */
export function createTokens(
  target: Target,
  participantId: () => string | undefined,
  redaction: Redaction,
  now: () => number = Date.now,
): Tokens {
  const { authorization } = target
  if (authorization.kind === 'none') return { header: async (_, variant) => headerWithoutSecret(variant) }
  redaction.register(authorization.secret, 'signing secret')
  const minted = new Map<string, { token: string; renewAt: number }>()

  const seconds = (): number => Math.floor(now() / 1000)

  const register = (token: string, label: string): string => {
    redaction.register(token, `token of ${label}`)
    return token
  }
  const sign = (payload: JWTPayload, secret: string, alg = 'HS256'): Promise<string> =>
    new SignJWT(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(new TextEncoder().encode(secret))
  const claimsOf = (userId: string): JWTPayload => {
    const audience = participantId()
    const meant = audience ? { aud: `https://daml.com/jwt/aud/participant/${audience}` } : { scope: 'daml_ledger_api' }
    return { sub: userId, exp: seconds() + lifeSeconds, ...meant }
  }
  const own = async (userId: string): Promise<string> => {
    const key = `${userId} ${participantId() ?? ''}`
    const held = minted.get(key)
    if (held && held.renewAt > seconds()) return held.token
    const renewAt = seconds() + lifeSeconds - renewBefore
    const token = register(await sign(claimsOf(userId), authorization.secret), userId)
    minted.set(key, { token, renewAt })
    return token
  }
  const invalid = async (userId: string, variant: TokenTemplate, variables: Variables): Promise<string> => {
    const { algorithm, secret = authorization.secret } = variant
    const payload = { ...claimsOf(userId), ...claimsIn(variant, seconds(), variables) }
    for (const [name, value] of Object.entries(payload)) if (value === null) delete payload[name]
    if (algorithm === 'none') return new UnsecuredJWT(payload).encode()
    if (algorithm === undefined || algorithms.includes(algorithm)) return sign(payload, secret, algorithm)
    throw new VariableError(`the token ${variant.name} cannot be signed: known are none, ${algorithms.join(', ')}`)
  }
  return {
    header: async (userId, variant, variables) => {
      if (!variant) return `Bearer ${await own(userId)}`
      if (variant.none) return undefined
      if (variant.header !== undefined) return variant.header
      return `Bearer ${register(await invalid(userId, variant, variables), `${userId}, ${variant.name}`)}`
    },
  }
}

function headerWithoutSecret(variant: TokenTemplate | undefined): string | undefined {
  if (!variant || variant.none || variant.header !== undefined) return variant?.header
  throw new VariableError(`the token ${variant.name} cannot be made: the target has no authorization`)
}

/** The claims in which a variant differs; `{ in-seconds: n }` counts from now, null leaves the claim out. */
function claimsIn(variant: TokenTemplate, now: number, variables: Variables): Record<string, JsonValue> {
  const claims = fill(variant.claims ?? {}, variables)
  if (!isJsonObject(claims)) return {}
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => {
      const seconds = isJsonObject(value) ? value['in-seconds'] : undefined
      return [name, typeof seconds === 'number' ? now + seconds : value]
    }),
  )
}
