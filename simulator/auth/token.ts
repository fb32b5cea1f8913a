import { errors } from 'jose'
import { acceptClaims, type Claims, type Rejection } from './claims.js'
import { type KeySource, readKeySource } from './key-source.js'
import { isSigned, readToken } from './signed-token.js'

export type TokenVerifier = (token: string, participantId: string) => Promise<Claims | Rejection>

/** `maxLifetime` is in seconds. Rejects with `SettingError`. */
export async function readAuthorization(setting: string, maxLifetime: number): Promise<TokenVerifier> {
  return verifier(await readKeySource(setting), maxLifetime)
}

const verifier =
  ({ keyFor, algorithms }: KeySource, maxLifetime: number): TokenVerifier =>
  async (text, participantId) => {
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

function whyWithoutKey(error: unknown): string {
  if (error instanceof errors.JWKSNoMatchingKey) return 'the key set has no key for its kid and alg'
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'the key set has several keys for it, and it names no kid'
  return 'it cannot be checked, because the key set cannot be read'
}
