import type { RecordedHeaders } from '../../record/types/record.js'

interface Head {
  status: number
  headers: RecordedHeaders
}

export interface HttpAnswer extends Head {
  body: Buffer
}

export class NotHttp extends Error {
  override readonly name = 'NotHttp'
}

export interface FoundAnswer {
  answer: HttpAnswer
  /** No other answer follows on this connection. */
  announcesClose: boolean
  rest: Buffer
}

const maxHeadBytes = 64 * 1024

/** Each chunk is parsed once. */
export interface ReadChunks {
  at: number
  parts: [from: number, to: number][]
}

export const noChunks = (): ReadChunks => ({ at: 0, parts: [] })

/** Undefined while incomplete. `read` is kept between calls. Throws `NotHttp`. */
export function firstAnswer(bytes: Buffer, ended: boolean, toHead: boolean, read: ReadChunks): FoundAnswer | undefined {
  const end = endOfLines(bytes, 0)
  if (end === undefined) return undefined
  const [first = '', ...parts] = bytes.toString('latin1', 0, end).split('\r\n')
  // A client must read a folded line as one line (RFC 9112, section 5.2).
  const lines =
    parts.length === 0
      ? []
      : parts
          .join('\r\n')
          .replace(/\r\n[ \t]+/g, ' ')
          .split('\r\n')
  const [, minor, status] = /^HTTP\/1\.([01]) (\d{3})(?: .*)?$/.exec(first) ?? []
  if (status === undefined) throw new NotHttp('the status line is missing')
  const head = { status: Number(status), headers: lines.map(headerOf) }
  const found = bodyIn(bytes.subarray(end + 4), ended, head, toHead, read)
  const options = valuesOf('connection', head)
  // Version 1.0 closes unless it offers to continue (RFC 9112, section 9.3).
  const announcesClose = options.includes('close') || (minor === '0' && !options.includes('keep-alive'))
  return found && { answer: { ...head, body: found.body }, announcesClose, rest: found.rest }
}

/** Of the empty line that ends a header or trailer section; undefined while incomplete. Throws `NotHttp`. */
function endOfLines(bytes: Buffer, start: number): number | undefined {
  const end = bytes.indexOf('\r\n\r\n', start)
  const length = (end < 0 ? bytes.length : end) - start
  if (length > maxHeadBytes) throw new NotHttp(`the header section exceeds ${maxHeadBytes / 1024} KiB`)
  return end < 0 ? undefined : end
}

/** In lower case, of all lines and lists. */
const valuesOf = (wanted: string, { headers }: Head): string[] =>
  headers
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value.toLowerCase().split(',').map(withoutBlanks))

function headerOf(line: string): [string, string] {
  const [, name, value = ''] = /^([^\s:]+):(.*)$/s.exec(line) ?? []
  if (name === undefined) throw new NotHttp('a header line is invalid')
  return [name, withoutBlanks(value)]
}

/** Linear: a regular expression would backtrack over blanks. */
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

function bodyIn(bytes: Buffer, ended: boolean, head: Head, toHead: boolean, read: ReadChunks): FoundBody | undefined {
  const { status } = head
  if (toHead || status < 200 || status === 204 || status === 304) return { body: Buffer.alloc(0), rest: bytes }
  const [length, ...others] = new Set(valuesOf('content-length', head))
  if (others.length > 0) throw new NotHttp('the values of content-length differ')
  const isChunked = valuesOf('transfer-encoding', head).join() === 'chunked'
  // Otherwise two readers could find two bodies (RFC 9112, section 6.1).
  if (isChunked && length !== undefined) throw new NotHttp('it has both content-length and transfer-encoding')
  if (isChunked) return chunksIn(bytes, read)
  if (length === undefined) return ended ? { body: bytes, rest: Buffer.alloc(0) } : undefined
  if (!/^\d{1,15}$/.test(length)) throw new NotHttp('content-length is not a number')
  const size = Number(length)
  return bytes.length < size ? undefined : { body: bytes.subarray(0, size), rest: bytes.subarray(size) }
}

function chunksIn(bytes: Buffer, read: ReadChunks): FoundBody | undefined {
  for (;;) {
    const { at, parts } = read
    const end = bytes.indexOf('\r\n', at)
    if (end < 0) return undefined
    const size = /^0*([0-9a-f]{1,8})(?:[ \t]*;.*)?$/i.exec(bytes.toString('latin1', at, end))?.[1]
    if (size === undefined) throw new NotHttp('a chunk has no size')
    const length = Number.parseInt(size, 16)
    if (length === 0) {
      const last = endOfTrailers(bytes, end)
      if (last === undefined) return undefined
      const body = Buffer.concat(parts.map(([from, to]) => bytes.subarray(from, to)))
      return { body, rest: bytes.subarray(last) }
    }
    const next = end + 2 + length + 2
    if (bytes.length < next) return undefined
    if (bytes.toString('latin1', next - 2, next) !== '\r\n') throw new NotHttp('a chunk is longer than its size')
    parts.push([end + 2, end + 2 + length])
    read.at = next
  }
}

/** `end`: of the line of the last chunk. Trailers are permitted (RFC 9112, section 7.1.2) and state nothing here. */
function endOfTrailers(bytes: Buffer, end: number): number | undefined {
  // Without trailers, the empty line follows at once.
  const last = endOfLines(bytes, end)
  if (last === undefined) return undefined
  const lines = bytes.toString('latin1', end + 2, last)
  if (lines !== '') lines.split('\r\n').forEach(headerOf)
  return last + 4
}
