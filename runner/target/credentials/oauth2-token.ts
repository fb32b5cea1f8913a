/** Tokens by OAuth2 client credentials (RFC 6749, section 4.4). */
import type { ConnectionSettings } from '../connection/connection-settings.js'
import { postForm } from '../connection/post-form.js'
import { CredentialError, type CredentialSource, tokenIn } from './credential-source.js'
import { type Clock, HeldToken, lifeOf } from './held-token.js'

export interface ClientCredentials {
  tokenUrl: string
  clientId: string
  clientSecret: string
  scope?: string
  audience?: string
  /** Every server supports the header (basic). */
  authentication: 'basic' | 'form'
}

export function oauth2Token(client: ClientCredentials, connection: ConnectionSettings, clock: Clock): CredentialSource {
  const origin = `OAuth2 token of the client ${client.clientId}`
  const held = new HeldToken(async () => {
    const answer = await requestToken(client, connection, origin)
    const token = tokenIn(String(answer['access_token'] ?? ''), { origin })
    const expiresIn = answer['expires_in']
    return { token, seconds: typeof expiresIn === 'number' ? expiresIn : lifeOf(token, clock.wall()) }
  }, clock)
  return { origin, secret: client.clientSecret, token: () => held.current() }
}

async function requestToken(
  { tokenUrl, clientId, clientSecret, scope, audience, authentication }: ClientCredentials,
  connection: ConnectionSettings,
  origin: string,
): Promise<Record<string, unknown>> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope !== undefined && { scope }),
    ...(audience !== undefined && { audience }),
    ...(authentication === 'form' && { client_id: clientId, client_secret: clientSecret }),
  })
  const basic = Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`).toString('base64')
  const headers: [string, string][] = authentication === 'basic' ? [['authorization', `Basic ${basic}`]] : []
  const { status, text } = await postForm(new URL(tokenUrl), form, headers, connection).catch((error: unknown) => {
    throw new CredentialError(`${origin}: the token server cannot be reached (${reasonOf(error)})`)
  })
  const answer = objectIn(text)
  if (status === 200 && answer) return answer
  // The rest of the answer may contain secrets.
  const code = /^[a-z_]{1,40}$/.exec(String(answer?.['error']))?.[0]
  throw new CredentialError(`${origin}: the token server returned ${status}${code ? ` (${code})` : ''}`)
}

/** Section 2.3.1: form encoding before Basic. Every server decodes %20. */
const formEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? String('code' in error ? error.code : error.message) : String(error)
