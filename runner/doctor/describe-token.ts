/** What a token says of itself, in words: whom it is for and until when, and never the token. */

import type { JWTPayload } from 'jose'
import { cutText } from '../../lib/redaction/cut-text.js'
import { claimsIn } from '../target/credentials/held-token.js'
import type { Authorization } from '../target/target.js'
import { formatDuration } from './clock.js'

export interface TokenWords {
  words: string
  /** The claims that are shown; undefined where the token is none that can be read. */
  claims?: Readonly<Record<string, unknown>>
  /** Seconds since it ended by that clock; negative while it is good. */
  endedFor?: number
  /** Seconds until it begins. */
  beginsIn?: number
}

const longest = 300

/** `now`: seconds since 1970 by the clock that counts, which is that of the target. */
export function describeToken(token: string, now: number): TokenWords {
  const payload = claimsIn(token)
  if (!payload) return { words: 'it is no JWT, so that nothing can be read in it' }
  const { sub, aud, iss, scope, exp, nbf, iat } = payload
  const claims = Object.fromEntries(
    Object.entries({ sub, aud, iss, scope, exp, nbf, iat }).filter(([, value]) => value !== undefined),
  )
  const told = [
    ...(['sub', 'aud', 'iss', 'scope'] as const).flatMap((name) => claimInWords(name, payload)),
    untilOf(exp, now),
  ]
  return {
    words: told.join(', '),
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

function untilOf(exp: unknown, now: number): string {
  if (typeof exp !== 'number') return 'without an end'
  return exp > now
    ? `good for ${formatDuration(Math.round(exp - now))}`
    : `ended ${formatDuration(Math.round(now - exp))} ago`
}

/** Of tokens that the run signs. */
export function describeSigning({ key }: Extract<Authorization, { kind: 'minted' }>): string {
  const { issuer, audience, scope, keyId, life } = key.form
  const said = [
    ...(issuer === undefined ? [] : [`iss ${issuer}`]),
    ...(audience === undefined ? [] : [`aud ${audience}`]),
    ...(scope === undefined ? [] : [`scope ${scope}`]),
    ...(audience === undefined && scope === undefined ? ['for this participant'] : []),
    ...(keyId === undefined ? [] : [`kid ${keyId}`]),
  ]
  return `${key.kind}, ${said.join(', ')}, good for ${formatDuration(life)}`
}
