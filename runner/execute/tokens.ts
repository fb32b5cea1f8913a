/** Mints the tokens of a run. They live four minutes and are renewed in time: participants accept five at most. */
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import type { JsonValue } from '../../interface/json.js'
import { isJsonObject } from '../../interface/json.js'
import type { TokenVariant } from '../suite.js'
import type { Target } from '../target.js'
import type { Variables } from '../variables.js'
import { fill } from '../variables.js'
import type { Redaction } from './redaction.js'

const lifeSeconds = 240
const renewBefore = 60

export interface Tokens {
  /** The Authorization header with which this user calls; undefined where nobody is asked for a token. */
  header(userId: string, variant: TokenVariant | undefined, variables: Variables): Promise<string | undefined>
}

/** `participantId` names the audience; until it is known, tokens carry the ledger scope instead. */
export function createTokens(target: Target, participantId: () => string | undefined, redaction: Redaction): Tokens {
  const { authorization } = target
  if (authorization.kind === 'none') return { header: async (_, variant) => variant?.header }
  redaction.register(authorization.secret, 'signing secret')
  const minted = new Map<string, { token: string; renewAt: number }>()

  const sign = async (payload: JWTPayload, secret: string, label: string): Promise<string> => {
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode(secret))
    redaction.register(token, `token of ${label}`)
    return token
  }
  const claimsOf = (userId: string, now: number): JWTPayload => {
    const audience = participantId()
    const meant = audience ? { aud: `https://daml.com/jwt/aud/participant/${audience}` } : { scope: 'daml_ledger_api' }
    return { sub: userId, exp: now + lifeSeconds, ...meant }
  }
  const own = async (userId: string): Promise<string> => {
    const now = Math.floor(Date.now() / 1000)
    const key = `${userId} ${participantId() ?? ''}`
    const held = minted.get(key)
    if (held && held.renewAt > now) return held.token
    const token = await sign(claimsOf(userId, now), authorization.secret, userId)
    minted.set(key, { token, renewAt: now + lifeSeconds - renewBefore })
    return token
  }
  return {
    header: async (userId, variant, variables) => {
      if (!variant) return `Bearer ${await own(userId)}`
      if (variant.none) return undefined
      if (variant.header !== undefined) return variant.header
      const now = Math.floor(Date.now() / 1000)
      const payload = { ...claimsOf(userId, now), ...claimsIn(variant, now, variables) }
      for (const [name, value] of Object.entries(payload)) if (value === null) delete payload[name]
      if (variant.algorithm === 'none') return `Bearer ${new UnsecuredJWT(payload).encode()}`
      return `Bearer ${await sign(payload, variant.secret ?? authorization.secret, `${userId}, ${variant.name}`)}`
    },
  }
}

/** The claims in which a variant differs; `{ in-seconds: n }` counts from now, null leaves the claim out. */
function claimsIn(variant: TokenVariant, now: number, variables: Variables): Record<string, JsonValue> {
  const claims = fill(variant.claims ?? {}, variables)
  if (!isJsonObject(claims)) return {}
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => {
      const seconds = isJsonObject(value) ? value['in-seconds'] : undefined
      return [name, typeof seconds === 'number' ? now + seconds : value]
    }),
  )
}
