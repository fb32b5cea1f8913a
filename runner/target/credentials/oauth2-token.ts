/** Tokens by OAuth2 client credentials (RFC 6749, section 4.4). */
import { parsed } from '../../../lib/json/parsed.js'
import { percentEncoded } from '../../../lib/redaction/percent-encoded.js'
import type { ConnectionSettings } from '../connection/connection-settings.js'
import { countInterimAnswers, openConnection } from '../connection/open-connection.js'
import { CredentialError, type CredentialSource, tokenIn } from './credential-source.js'
import { HeldToken, lifeOf, systemClock } from './held-token.js'

export interface ClientCredentials {
  tokenUrl: string
  clientId: string
  clientSecret: string
  scope?: string
  audience?: string
  /** Every server supports the header (basic). */
  authentication: 'basic' | 'form'
}

export function oauth2Token(
  client: ClientCredentials,
  connection: ConnectionSettings,
  clock = systemClock,
): CredentialSource {
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
  // Section 2.3.1: form encoding before Basic. Every server decodes %20.
  const basic = Buffer.from(`${percentEncoded(clientId)}:${percentEncoded(clientSecret)}`).toString('base64')
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

function objectIn(text: string): Record<string, unknown> | undefined {
  const value = parsed(text)
  return typeof value === 'object' && value !== null ? { ...value } : undefined
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? String('code' in error ? error.code : error.message) : String(error)

/** Milliseconds. */
const timeLimit = 30_000
const maxBytes = 1024 * 1024

/** Rejects with errors of undici, and an `Error` after the limits of time or size. */
async function postForm(
  url: URL,
  form: URLSearchParams,
  headers: readonly [string, string][],
  settings: ConnectionSettings,
): Promise<{ status: number; text: string }> {
  // Headers and client certificate are for the target only.
  const { client: _, ...rest } = settings
  const connection = openConnection(url, { ...rest, headers: [] })
  const timer = setTimeout(
    () => void connection.destroy(new Error(`no answer within ${timeLimit / 1000} s`)),
    timeLimit,
  )
  try {
    const response = await connection.client.request({
      method: 'POST',
      path: connection.prefix + url.pathname + url.search,
      headers: [
        ...connection.headers,
        ...headers,
        ['content-type', 'application/x-www-form-urlencoded'],
        ['accept', 'application/json'],
      ].flat(),
      body: form.toString(),
      onInfo: countInterimAnswers(),
    })
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of response.body) {
      const bytes = Buffer.from(chunk)
      length += bytes.length
      if (length > maxBytes) throw new Error('the answer exceeds 1 MiB')
      chunks.push(bytes)
    }
    return { status: response.statusCode, text: Buffer.concat(chunks).toString('utf8') }
  } finally {
    clearTimeout(timer)
    await connection.destroy(new Error('the exchange is over'))
  }
}
