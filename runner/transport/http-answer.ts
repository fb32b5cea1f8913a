/** Reads answers of HTTP/1 from bytes: for exchanges in forms that no client library sends. */
import type { RecordedHeaders } from '../../record/types/record.js'

export interface HttpAnswer {
  status: number
  headers: RecordedHeaders
  body: Buffer
}

/** What came is no answer of HTTP/1. */
export class NotHttp extends Error {
  override readonly name = 'NotHttp'
}

/** An answer, and the bytes behind it. */
export interface FoundAnswer {
  answer: HttpAnswer
  rest: Buffer
}

/** The longest head that is read: as much as others take. */
const longestHead = 64 * 1024

/** How far a body in chunks has been read, so that each chunk is read once however many pieces it comes in. */
export interface ReadChunks {
  /** Behind the last whole chunk, in the bytes of the body. */
  at: number
  /** Where the content of each chunk begins and ends. */
  parts: [from: number, to: number][]
}

export const noChunks = (): ReadChunks => ({ at: 0, parts: [] })

/**
 * The first answer in the bytes; undefined while more has to come. `ended`: nothing more will. `read` is kept between calls for
 * the same answer. Throws `NotHttp`.
 */
export function firstAnswer(bytes: Buffer, ended: boolean, toHead: boolean, read: ReadChunks): FoundAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) {
    if (bytes.length > longestHead) throw new NotHttp('the head of the answer has no end')
    return undefined
  }
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = /^HTTP\/1\.[01] (\d{3})(?: .*)?$/.exec(first)?.[1]
  if (status === undefined) throw new NotHttp('the answer has no status line')
  const head = { status: Number(status), headers: lines.map(headerOf) }
  const found = bodyIn(bytes.subarray(end + 4), ended, head, toHead, read)
  return found && { answer: { ...head, body: found.body }, rest: found.rest }
}

function headerOf(line: string): [string, string] {
  const [, name, value = ''] = /^([^\s:]+):(.*)$/s.exec(line) ?? []
  if (name === undefined) throw new NotHttp('a header of the answer is none')
  return [name, withoutBlanks(value)]
}

/** Blanks and tabs at both ends, each looked at once: a pattern would try every blank within a long value as the end. */
function withoutBlanks(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && blanks.has(text[start] ?? '')) start += 1
  while (end > start && blanks.has(text[end - 1] ?? '')) end -= 1
  return text.slice(start, end)
}

const blanks: ReadonlySet<string> = new Set([' ', '\t'])

interface FoundBody {
  body: Buffer
  rest: Buffer
}

function bodyIn(
  bytes: Buffer,
  ended: boolean,
  { status, headers }: Pick<HttpAnswer, 'status' | 'headers'>,
  toHead: boolean,
  read: ReadChunks,
): FoundBody | undefined {
  if (toHead || status < 200 || status === 204 || status === 304) return { body: Buffer.alloc(0), rest: bytes }
  const named = (wanted: string): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === wanted)?.[1].toLowerCase()
  if (named('transfer-encoding') === 'chunked') return chunksIn(bytes, read)
  const length = named('content-length')
  if (length === undefined) return ended ? { body: bytes, rest: Buffer.alloc(0) } : undefined
  if (!/^\d{1,15}$/.test(length)) throw new NotHttp('the length of the answer is no number')
  const size = Number(length)
  return bytes.length < size ? undefined : { body: bytes.subarray(0, size), rest: bytes.subarray(size) }
}

function chunksIn(bytes: Buffer, read: ReadChunks): FoundBody | undefined {
  for (;;) {
    const { at, parts } = read
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return undefined
    const size = /^([0-9a-f]{1,8})(?:;.*)?$/i.exec(bytes.toString('latin1', at, end))?.[1]
    if (size === undefined) throw new NotHttp('a chunk of the answer has no size')
    const length = Number.parseInt(size, 16)
    const next = end + 2 + length + 2
    if (bytes.length < next) return undefined
    if (bytes.toString('latin1', next - 2, next) !== '\r\n')
      throw new NotHttp('a chunk of the answer is longer than it says')
    if (length === 0) {
      const body = Buffer.concat(parts.map(([from, to]) => bytes.subarray(from, to)))
      return { body, rest: bytes.subarray(next) }
    }
    parts.push([end + 2, end + 2 + length])
    read.at = next
  }
}
