/** Client credentials and a key set. */
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Test } from 'tap'
import { listen } from './raw-target.js'

export interface TokenServer {
  url: string
  jwks: string
  tokenUrl: string
  /** By client. */
  given: Map<string, number>
  tokens: string[]
  /** `seconds`: lifetime. */
  sign(user: string, seconds?: number): Promise<string>
}

/** By client, which is one user. Tokens have the ledger scope. */
export async function tokenServer(
  t: Test,
  secrets: Readonly<Record<string, string>>,
  life = 300,
): Promise<TokenServer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const given = new Map<string, number>()
  const tokens: string[] = []
  const sign = async (user: string, seconds = life): Promise<string> => {
    const token = await new SignJWT({ scope: 'daml_ledger_api' })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setSubject(user)
      .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
      .sign(privateKey)
    tokens.push(token)
    return token
  }
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' }
  const server = createServer(async (request, response) => {
    const answer = (status: number, json: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    }
    if (request.url === '/jwks') return answer(200, { keys: [jwk] })
    const form = new URLSearchParams(await text(request))
    const [client = '', secret = ''] = basicOf(request) ?? [
      form.get('client_id') ?? '',
      form.get('client_secret') ?? '',
    ]
    if (form.get('grant_type') !== 'client_credentials') return answer(400, { error: 'unsupported_grant_type' })
    if (secrets[client] === undefined || secrets[client] !== secret)
      return answer(401, { error: 'invalid_client', secret })
    given.set(client, (given.get(client) ?? 0) + 1)
    answer(200, { access_token: await sign(client), token_type: 'Bearer', expires_in: life })
  })
  const url = await listen(t, server)
  return { url, jwks: `${url}/jwks`, tokenUrl: `${url}/token`, given, tokens, sign }
}

function basicOf({ headers }: IncomingMessage): string[] | undefined {
  const [, encoded] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  return encoded === undefined
    ? undefined
    : Buffer.from(encoded, 'base64').toString('utf8').split(':').map(decodeURIComponent)
}
