import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { unescape as unescapeSegment } from 'node:querystring'
import type { Caller } from '../auth/caller.js'
import { PlainRefusal, undecodable } from '../base/errors.js'
import type { Participant } from '../participant/participant.js'
import type { Situation } from './error-body.js'

export interface RequestHead {
  headers: IncomingHttpHeaders
  /** Absent after a change of `headers`. */
  headersDistinct?: NodeJS.Dict<string[]>
  url: string
  /** Several values for a wildcard. */
  params: Readonly<Record<string, string | string[]>>
}

/** Node's `headers` contain only the first one. */
export const authorizationsIn = ({ headers, headersDistinct }: RequestHead): readonly string[] =>
  headersDistinct?.['authorization'] ?? [headers.authorization ?? []].flat()

/** Ids are drawn at the first use. */
export class CallSituation implements Situation {
  readonly #participant: Participant
  readonly #header: string | string[] | undefined
  #traceId: string | undefined
  #submissionId: string | undefined
  submission = ''

  constructor({ headers }: RequestHead, participant: Participant) {
    this.#participant = participant
    this.#header = headers['traceparent']
  }

  get traceId(): string {
    this.#traceId ??= traceOf(this.#header) ?? this.#participant.entropy.hex(16)
    return this.#traceId
  }

  get hasPlainResources(): boolean {
    return this.#participant.behaviour.has('plain-resource-types')
  }

  get submissionId(): string {
    this.#submissionId ??= this.#participant.entropy.uuid()
    return this.#submissionId
  }

  set submissionId(id: string) {
    this.#submissionId = id
  }
}

const traceOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/.exec(header)?.[1] : undefined

export interface Call<Body> {
  participant: Participant
  caller: Caller
  body: Body
  rawBody: Buffer
  /** For error bodies. */
  submission: CallSituation
  /** Decoded. */
  params: Record<string, string>
  query: URLSearchParams
  /** The time limit aborts it. Node makes the signal at its first use, and few operations use it. */
  deadline: AbortController
}

/** Bytes; the limit of the reference 3.5.10. */
export const usualBodyLimit = 8 * 1024 * 1024

const bodyTooLarge = (limit: number): PlainRefusal =>
  new PlainRefusal(413, `the entity exceeded size limit (${limit} bytes)`)

/** The client disconnected or exceeded the time limit. */
export class RequestAborted extends Error {
  override readonly name = 'RequestAborted'
}

/**
 * Drops the rest above `limit` bytes, for clients that send before they read; with `cutOff`, stops there. Rejects with
 * `PlainRefusal`, `RequestAborted`.
 */
export function readBody(request: IncomingMessage, limit: number, cutOff?: () => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    request.on('data', (part: Buffer) => {
      length += part.length
      if (length <= limit) parts.push(part)
      else parts.length = 0
      if (length <= limit || !cutOff) return
      request.pause()
      cutOff()
      reject(bodyTooLarge(limit))
    })
    request.on('end', () => {
      if (request.socket.writableEnded) reject(new RequestAborted())
      else if (length > limit) reject(bodyTooLarge(limit))
      else resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts))
    })
    request.on('error', () => reject(new RequestAborted()))
    request.on('close', () => {
      if (!request.readableEnded) reject(new RequestAborted())
    })
  })
}

/**
 * Removes trailing and double slashes, dot segments, percent-encoding (observed on 3.5.10) and the origin of an absolute
 * URL (RFC 9112).
 */
export function canonical(target: string): string {
  const [path = '', ...query] = resolved(target.replace(/^https?:\/\/[^/?]*/i, '')).split('?')
  const plain = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  return [plain.split('/').map(recode).join('/') || '/', ...query].join('?')
}

/** Without dot segments (RFC 3986, section 5.2.4); `%2e` is a dot, and the root has no parent. */
export function resolved(target: string): string {
  const [path = '', ...query] = target.split('?')
  if (!dotSegment.test(path)) return target
  const kept: string[] = []
  const segments = path.split('/').slice(1)
  for (const [index, segment] of segments.entries()) {
    const plain = segment.replace(/%2e/gi, '.')
    if (plain === '..') kept.pop()
    if (plain !== '.' && plain !== '..') kept.push(segment)
    else if (index === segments.length - 1) kept.push('')
  }
  return [`/${kept.join('/')}`, ...query].join('?')
}

const dotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** As the reference prints it: only necessary characters are encoded, and invalid UTF-8 is replaced. */
export function shownPath(target: string): string {
  const [path = '', ...query] = target.split('?')
  const segments = path.split('/').map((segment) => encodeURIComponent(unescapeSegment(segment)))
  return [segments.join('/').replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent), ...query].join('?')
}

/** An undecodable segment is encoded literally. */
function recode(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return encodeURIComponent(segment)
  }
}

/** As Java reads integers in a query; undefined if absent. Throws `PlainRefusal`. */
export function integerParameter(
  query: URLSearchParams,
  name: string,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const [text, ...more] = query.getAll(name)
  if (text === undefined) return undefined
  if (more.length > 0) throw undecodable(`query parameter ${name} (multiple values)`)
  const value = Number(text)
  if (/^[+-]?\d+$/.test(text) && Math.abs(value) <= most) return value
  throw undecodable(`query parameter ${name}`)
}

/** In any case. Throws `PlainRefusal`. */
export function flagParameter(query: URLSearchParams, name: string, otherwise: boolean): boolean {
  const [text, ...more] = query.getAll(name)
  if (text === undefined) return otherwise
  if (more.length > 0) throw undecodable(`query parameter ${name} (multiple values)`)
  const found = ['false', 'true'].indexOf(text.toLowerCase())
  if (found < 0) throw undecodable(`query parameter ${name}`)
  return found === 1
}
export const largestInt32 = 2 ** 31 - 1
