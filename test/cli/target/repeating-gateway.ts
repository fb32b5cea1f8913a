/** A target that repeats what it is sent, and what somebody told it: each time in another encoding, where it cannot change a verdict. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { encodingCount, type RepeatedSecrets, repeatedSecrets } from '../../support/records/repeated-secrets.js'
import { listen } from '../../support/servers/raw-target.js'

/** So often secrets are repeated by each operation: to look for more of the same would only take its time. */
const enough = 2 * encodingCount
/** Longer ones are not repeated in headers, which have a bound of their own. */
const longestHeader = 3000
export interface RepeatingGateway extends Pick<RepeatedSecrets, 'used' | 'leaks'> {
  url: string
}

/** `told` are secrets that the target is not sent. */
export async function repeatingGateway(t: Test, url: string, told: readonly string[]): Promise<RepeatingGateway> {
  const { repeat, used, leaks } = repeatedSecrets()
  const spent = new Map<string, number>()
  /** What makes users and parties is asked first, and often; it must not use up what records could show. */
  const secretsFor = (incoming: IncomingMessage): string[] => {
    const operation = (incoming.url ?? '').split(/[/?]/).slice(1, 4).join('/')
    const before = spent.get(operation) ?? 0
    const secrets = before < enough ? [...sentIn(incoming), ...told] : []
    spent.set(operation, before + 2 * secrets.length)
    return secrets
  }
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming)
    const forward = request(new URL(incoming.url ?? '/', url), { method: incoming.method, headers: incoming.headers })
    forward.end(body)
    const [forwarded] = (await once(forward, 'response')) as [IncomingMessage] // the arguments of the event
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

/** Tokens and keys of the request itself. */
function sentIn({ headers }: IncomingMessage): string[] {
  const token = /^Bearer +([^.]+\.[^.]+\.[^.]+)$/i.exec(headers.authorization ?? '')?.[1]
  const [, basic] = /^Basic (.+)$/.exec(headers['proxy-authorization'] ?? '') ?? []
  const password = Buffer.from(basic ?? '', 'base64')
    .toString('utf8')
    .split(':')[1]
  return [token, password, headers['x-api-key']].filter((one): one is string => typeof one === 'string' && one !== '')
}

/** What a line cannot hold is left out. */
const inHeader = (text: string): string => Buffer.from(text.replace(/[\r\n]/g, '')).toString('latin1')

/** One more member of an object is nobody's business where it has any: the text lets answers have others. */
function withMember(body: Buffer, { headers }: IncomingMessage, said: string): Buffer {
  const rest = body.subarray(1).toString('utf8')
  const isObject = /json/.test(headers['content-type'] ?? '') && body[0] === 0x7b && !/^\s*\}/.test(rest)
  return isObject && said !== '' ? Buffer.from(`{"repeated":${JSON.stringify(said)},${rest}`) : body
}
