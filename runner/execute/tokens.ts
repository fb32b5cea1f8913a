import type { JWTPayload } from 'jose'
import { UnsecuredJWT } from 'jose/jwt/unsecured'
import { isJsonObject, type JsonValue } from '../../lib/json/json.js'
import { type Redaction, registerSecret } from '../../lib/redaction/redaction.js'
import type { TokenTemplate } from '../../record/types/resolved-row.js'
import { CredentialError } from '../target/credentials/credential-source.js'
import { type Clock, HeldToken, systemClock } from '../target/credentials/held-token.js'
import type { MintingKey } from '../target/credentials/minting-key.js'
import type { Credentials } from '../target/target.js'
import { fill, type Scope, VariableError } from '../template/variables.js'

export interface Tokens {
  /** Rejects with `VariableError` or `CredentialError`. */
  header(userId: string, variant: TokenTemplate | undefined, variables: Scope): Promise<string | undefined>
}

/** The participant id is the audience; while it is unknown, tokens have the ledger scope. */
export function createTokens(
  { authorization, callers }: Credentials,
  participantId: () => string | undefined,
  redaction: Redaction,
  clock: Clock = systemClock,
): Tokens {
  const given = new Map([...callers.values()].flatMap(({ user, source }) => (source ? [[user, source] as const] : [])))
  const key = authorization.kind === 'minted' ? authorization.key : undefined
  if (key) redaction.register(key.secret, 'signing secret')
  const mint = key && minting(key, participantId, clock)
  return {
    header: async (userId, variant, variables) => {
      if (variant?.none) return undefined
      if (variant?.header !== undefined) return variant.header
      if (variant) return `${variant.scheme ?? 'Bearer'} ${await invalidToken(userId, variant, variables)}`
      if (authorization.kind === 'none') return undefined
      const token = await (given.get(userId)?.token() ?? mint?.own(userId))
      if (token === undefined)
        throw new CredentialError(`no token is configured for the user ${userId}; add it under callers`)
      // A token from another process can be an ordinary word.
      if (!registerSecret(token, `token of ${userId}`)) redaction.register(token, `token of ${userId}`)
      return `Bearer ${token}`
    },
  }

  function invalidToken(userId: string, variant: TokenTemplate, variables: Scope): Promise<string> {
    if (mint) return mint.variant(userId, variant, variables)
    const why = authorization.kind === 'none' ? 'the target has no authorization' : 'the run has no signing key'
    throw new VariableError(`the token ${variant.name} cannot be made: ${why}`)
  }
}

function minting(
  key: MintingKey,
  participantId: () => string | undefined,
  clock: Clock,
): {
  own(userId: string): Promise<string>
  variant(userId: string, variant: TokenTemplate, variables: Scope): Promise<string>
} {
  const held = new Map<string, HeldToken>()
  const { life, issuer, audience, scope } = key.form
  const seconds = (): number => Math.floor(clock.wall() / 1000)
  const claimsOf = (userId: string): JWTPayload => ({
    sub: userId,
    exp: seconds() + life,
    ...(issuer !== undefined && { iss: issuer }),
    ...(audience === undefined && scope === undefined
      ? usualAudience(participantId())
      : { ...(audience !== undefined && { aud: audience }), ...(scope !== undefined && { scope }) }),
  })
  const own = (userId: string): Promise<string> => {
    const name = `${userId} ${participantId() ?? ''}`
    const fresh = async () => ({ token: await key.sign(claimsOf(userId)), seconds: life })
    const token = held.get(name) ?? new HeldToken(fresh, clock)
    held.set(name, token)
    return token.current()
  }
  return {
    own,
    variant: async (userId, variant, variables) => {
      const payload: JWTPayload = { ...claimsOf(userId), ...claimsIn(variant, seconds(), variables) }
      for (const [name, value] of Object.entries(payload)) if (value === null) delete payload[name]
      const signed = await signVariant(key, variant, payload)
      const token =
        variant.signature === undefined ? signed : withSignature(signed, variant.signature, await own(userId))
      registerSecret(token, `token of ${userId}, ${variant.name}`)
      return token
    },
  }
}

const usualAudience = (participantId: string | undefined): JWTPayload =>
  participantId ? { aud: `https://daml.com/jwt/aud/participant/${participantId}` } : { scope: 'daml_ledger_api' }

async function signVariant(key: MintingKey, variant: TokenTemplate, payload: JWTPayload): Promise<string> {
  if (variant.algorithm === 'none') return new UnsecuredJWT(payload).encode()
  try {
    return await key.sign(payload, variant)
  } catch (error) {
    if (error instanceof CredentialError) throw new VariableError(`the token ${variant.name}: ${error.message}`)
    throw error
  }
}

function withSignature(token: string, signature: 'empty' | 'of-another-token', other: string): string {
  const parts = token.split('.').slice(0, 2)
  return [...parts, signature === 'empty' ? '' : other.split('.')[2]].join('.')
}

/** `{ in-seconds: n }` counts from now; null omits the claim. */
function claimsIn(variant: TokenTemplate, now: number, variables: Scope): Record<string, JsonValue> {
  const claims = fill(variant.claims ?? {}, variables)
  if (!isJsonObject(claims)) return {}
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => {
      const seconds = isJsonObject(value) ? value['in-seconds'] : undefined
      return [name, typeof seconds === 'number' ? now + seconds : value]
    }),
  )
}
