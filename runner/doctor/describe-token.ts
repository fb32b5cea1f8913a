import type { JWTPayload } from 'jose'
import { cutText } from '../../lib/redaction/redaction.js'
import { claimsIn } from '../target/credentials/held-token.js'
import type { Authorization } from '../target/target.js'
import { formatDuration } from './clock.js'

export interface DescribedToken {
  words: string
  claims?: Readonly<Record<string, unknown>>
  /** Seconds since its expiry; negative while valid. */
  endedFor?: number
  /** Seconds until valid. */
  beginsIn?: number
}

const longest = 300

/** `now`: seconds since 1970 by the target's clock. */
export function describeToken(token: string, now: number): DescribedToken {
  const payload = claimsIn(token)
  if (!payload) return { words: 'not a JWT, so its claims are unknown' }
  const { sub, aud, iss, scope, exp, nbf, iat } = payload
  const claims = Object.fromEntries(
    Object.entries({ sub, aud, iss, scope, exp, nbf, iat }).filter(([, value]) => value !== undefined),
  )
  const words = [
    ...(['sub', 'aud', 'iss', 'scope'] as const).flatMap((name) => claimInWords(name, payload)),
    expiryInWords(exp, now),
  ]
  return {
    words: words.join(', '),
    claims,
    ...(typeof exp === 'number' && { endedFor: now - exp }),
    ...(typeof nbf === 'number' && { beginsIn: nbf - now }),
  }
}

function claimInWords(name: keyof JWTPayload, payload: JWTPayload): string[] {
  const value = payload[name]
  if (value === undefined) return []
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return [`${name} ${cutText(text, longest)}`]
}

function expiryInWords(exp: unknown, now: number): string {
  if (typeof exp !== 'number') return 'no expiry'
  return exp > now
    ? `valid for ${formatDuration(Math.round(exp - now))}`
    : `expired ${formatDuration(Math.round(now - exp))} ago`
}

export function describeSigning({ key }: Extract<Authorization, { kind: 'minted' }>): string {
  const { issuer, audience, scope, keyId, life } = key.form
  const words = [
    ...(issuer === undefined ? [] : [`iss ${issuer}`]),
    ...(audience === undefined ? [] : [`aud ${audience}`]),
    ...(scope === undefined ? [] : [`scope ${scope}`]),
    ...(audience === undefined && scope === undefined ? ['for this participant'] : []),
    ...(keyId === undefined ? [] : [`kid ${keyId}`]),
  ]
  return `${key.kind}, ${words.join(', ')}, valid for ${formatDuration(life)}`
}
