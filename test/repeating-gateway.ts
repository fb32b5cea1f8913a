/** A target that repeats what it is sent, and what somebody told it: each time in another encoding, where it cannot change a verdict. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'
import { listen } from './raw-target.js'
import { encodings } from './secret-encodings.js'

const all = Object.entries(encodings)
/** So often secrets are repeated by each operation: to look for more of the same would only take its time. */
const enough = 2 * all.length
/** Longer ones are not repeated in headers, which have a bound of their own. */
const longestHeader = 3000
/** Characters of a secret's encoding that are looked for: any so many in a row. */
const window = 16
/** The others may be put in or left out by encodings, as docs/reports.md says. */
const sixteenThatCount = new RegExp(`^(?:[\\s+:\\\\-]*[^\\s+:\\\\-]){${window}}`)
/** Of what was cut off nobody knows the end. */
const longestSlice = 20_000

interface Repeated {
  encoding: string
  text: string
  /** Another secret of the same length in the same encoding: what both have in common tells nothing. */
  other: string
  /** Characters that the first `window` ones of the secret that count are written with. */
  begin: number
}

export interface RepeatingGateway {
  url: string
  /** Encodings that were used by now. */
  used: ReadonlySet<string>
  /** What was repeated and stands in the text, by encoding; `marks` counts the places where something was. */
  leaks(text: string): { marks: number; left: string[] }
}

/** `told` are secrets that the target is not sent. */
export async function repeatingGateway(t: Test, url: string, told: readonly string[]): Promise<RepeatingGateway> {
  const said: Repeated[] = []
  const used = new Set<string>()
  const spent = new Map<string, number>()
  let count = 0
  /** What makes users and parties is asked first, and often; it must not use up what records could show. */
  const secretsFor = (incoming: IncomingMessage): string[] => {
    const operation = (incoming.url ?? '').split(/[/?]/).slice(1, 4).join('/')
    const before = spent.get(operation) ?? 0
    const secrets = before < enough ? [...sentIn(incoming), ...told] : []
    spent.set(operation, before + 2 * secrets.length)
    return secrets
  }
  /** Between marks that no report alters, so that it is found again. */
  const repeat = (secret: string): string => {
    const [encoding, encode] = all[count % all.length] ?? ['', String]
    count += 1
    const text = encode(secret)
    const begin = encode(sixteenThatCount.exec(secret)?.[0] ?? secret).length - encode('').length
    said.push({ encoding, text, other: encode('x'.repeat(secret.length)), begin: Math.max(window, begin) })
    used.add(encoding)
    return `zq${said.length - 1}|${text}|${said.length - 1}zq`
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
  return { url: await listen(t, server), used, leaks: (text) => leaksIn(text, said) }
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

function leaksIn(text: string, said: readonly Repeated[]): { marks: number; left: string[] } {
  const left = new Set<string>()
  let marks = 0
  for (const { 1: number = '', index } of text.matchAll(/zq(\d+)\|/g)) {
    const one = said[Number(number)]
    if (!one) continue
    marks += 1
    const end = text.indexOf(`|${number}zq`, index)
    const slice = text.slice(index, end === -1 ? index + longestSlice : end)
    // What is told of an answer may end amid a secret: then fewer of its own characters than that are left to be seen.
    const least = end === -1 ? one.begin : window
    if (unescaped(slice).some((seen) => tells(seen, one, least))) left.add(one.encoding)
  }
  return { marks, left: [...left] }
}

/** As it stands, and as whoever reads JSON, XML or HTML sees it. */
function unescaped(slice: string): string[] {
  const plain = slice.replaceAll(/\[redacted: [^\]]*\]/g, '')
  if (plain.length < window) return []
  const fromJson = plain.replaceAll(
    /\\(["\\/nrt])/g,
    (_, sign: string) => ({ n: '\n', r: '\r', t: '\t' })[sign] ?? sign,
  )
  const fromHtml = plain.replaceAll(/&(quot|lt|gt|#39|amp);/g, (_, name: string) => signs[name] ?? '')
  return [plain, fromJson, fromHtml]
}

const signs: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', '#39': "'", amp: '&' }

function tells(seen: string, { text, other }: Repeated, least: number): boolean {
  for (let at = 0; at + least <= text.length; at += 1) {
    const piece = text.slice(at, at + least)
    // What stands before a secret, as "Bearer" does, is none of it.
    if (other.startsWith(text.slice(0, at + 1))) continue
    // In base64 a character at either end may hold a bit of each.
    if (seen.includes(piece) && !other.includes(piece.slice(1, -1))) return true
  }
  return false
}
