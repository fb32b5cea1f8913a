/** Repeats secrets in places that change no verdict. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { encodingCount, type RepeatedSecrets, repeatedSecrets } from '../records/repeated-secrets.js'
import { inHeader } from '../records/secret-encodings.js'
import { listen } from './raw-target.js'

/** Secrets to repeat for each operation. */
const enough = 2 * encodingCount
/** Headers have their own limit. */
const longestHeader = 3000
export interface RepeatingGateway extends Pick<RepeatedSecrets, 'used' | 'leaks'> {
  url: string
}

/** `others`: secrets outside the requests. */
export async function repeatingGateway(t: Test, url: string, others: readonly string[]): Promise<RepeatingGateway> {
  const { repeat, used, leaks } = repeatedSecrets()
  const spent = new Map<string, number>()
  /** Counts by operation, because the first requests of a run are not recorded. */
  const secretsFor = (incoming: IncomingMessage): string[] => {
    const operation = (incoming.url ?? '').split(/[/?]/).slice(1, 4).join('/')
    const before = spent.get(operation) ?? 0
    const secrets = before < enough ? [...sentIn(incoming), ...others] : []
    spent.set(operation, before + 2 * secrets.length)
    return secrets
  }
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming)
    const forward = request(new URL(incoming.url ?? '/', url), { method: incoming.method, headers: incoming.headers })
    forward.end(body)
    const [forwarded] = (await once(forward, 'response')) as [IncomingMessage]
    const answered = await buffer(forwarded)
    const secrets = secretsFor(incoming)
    const { 'content-length': _, 'transfer-encoding': __, ...headers } = forwarded.headers
    const note = inHeader(secrets.map(repeat).join(' '))
    outgoing.writeHead(forwarded.statusCode ?? 500, {
      ...headers,
      ...(note.length > 0 && note.length <= longestHeader && { 'x-repeated': note }),
    })
    outgoing.end(withMember(answered, forwarded, secrets.map(repeat).join(' ')))
  }
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing).catch(() => outgoing.destroy()))
  return { url: await listen(t, server), used, leaks }
}

function sentIn({ headers }: IncomingMessage): string[] {
  const token = /^Bearer +([^.]+\.[^.]+\.[^.]+)$/i.exec(headers.authorization ?? '')?.[1]
  const [, basic] = /^Basic (.+)$/.exec(headers['proxy-authorization'] ?? '') ?? []
  const password = Buffer.from(basic ?? '', 'base64')
    .toString('utf8')
    .split(':')[1]
  return [token, password, headers['x-api-key']].filter((one): one is string => typeof one === 'string' && one !== '')
}

/** The text permits additional members. */
function withMember(body: Buffer, { headers }: IncomingMessage, added: string): Buffer {
  const rest = body.subarray(1).toString('utf8')
  const isObject = /json/.test(headers['content-type'] ?? '') && body[0] === 0x7b && !/^\s*\}/.test(rest)
  return isObject && added !== '' ? Buffer.from(`{"repeated":${JSON.stringify(added)},${rest}`) : body
}
