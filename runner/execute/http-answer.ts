/** Reads answers of HTTP/1 from bytes: for exchanges in forms that no client library sends. */
import type { RecordedHeaders } from '../../record/record.js'

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

/** The first answer in the bytes; undefined while more has to come. `ended`: nothing more will. Throws `NotHttp`. */
export function firstAnswer(bytes: Buffer, ended: boolean, toHead: boolean): FoundAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) {
    if (bytes.length > longestHead) throw new NotHttp('the head of the answer has no end')
    return undefined
  }
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = /^HTTP\/1\.[01] (\d{3})(?: .*)?$/.exec(first)?.[1]
  if (status === undefined) throw new NotHttp('the answer has no status line')
  const head = { status: Number(status), headers: lines.map(headerOf) }
  const found = bodyIn(bytes.subarray(end + 4), ended, head, toHead)
  return found && { answer: { ...head, body: found.body }, rest: found.rest }
}

function headerOf(line: string): [string, string] {
  const [, name, value = ''] = /^([^\s:]+):[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
  if (name === undefined) throw new NotHttp('a header of the answer is none')
  return [name, value]
}

interface FoundBody {
  body: Buffer
  rest: Buffer
}

function bodyIn(
  bytes: Buffer,
  ended: boolean,
  { status, headers }: Pick<HttpAnswer, 'status' | 'headers'>,
  toHead: boolean,
): FoundBody | undefined {
  if (toHead || status < 200 || status === 204 || status === 304) return { body: Buffer.alloc(0), rest: bytes }
  const named = (wanted: string): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === wanted)?.[1].toLowerCase()
  if (named('transfer-encoding') === 'chunked') return chunksIn(bytes)
  const length = named('content-length')
  if (length === undefined) return ended ? { body: bytes, rest: Buffer.alloc(0) } : undefined
  if (!/^\d{1,15}$/.test(length)) throw new NotHttp('the length of the answer is no number')
  const size = Number(length)
  return bytes.length < size ? undefined : { body: bytes.subarray(0, size), rest: bytes.subarray(size) }
}

function chunksIn(bytes: Buffer): FoundBody | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return undefined
    const size = /^([0-9a-f]{1,8})(?:;.*)?$/i.exec(bytes.toString('latin1', at, end))?.[1]
    if (size === undefined) throw new NotHttp('a chunk of the answer has no size')
    const length = Number.parseInt(size, 16)
    const next = end + 2 + length + 2
    if (bytes.length < next) return undefined
    if (bytes.toString('latin1', next - 2, next) !== '\r\n')
      throw new NotHttp('a chunk of the answer is longer than it says')
    if (length === 0) return { body: Buffer.concat(chunks), rest: bytes.subarray(next) }
    chunks.push(bytes.subarray(end + 2, end + 2 + length))
    at = next
  }
}
