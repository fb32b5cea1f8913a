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
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) {
    if (bytes.length > maxHeadBytes) throw new NotHttp(`the header section exceeds ${maxHeadBytes / 1024} KiB`)
    return undefined
  }
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = /^HTTP\/1\.[01] (\d{3})(?: .*)?$/.exec(first)?.[1]
  if (status === undefined) throw new NotHttp('the status line is missing')
  const head = { status: Number(status), headers: lines.map(headerOf) }
  const found = bodyIn(bytes.subarray(end + 4), ended, head, toHead, read)
  return found && { answer: { ...head, body: found.body }, rest: found.rest }
}

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

function bodyIn(
  bytes: Buffer,
  ended: boolean,
  { status, headers }: Head,
  toHead: boolean,
  read: ReadChunks,
): FoundBody | undefined {
  if (toHead || status < 200 || status === 204 || status === 304) return { body: Buffer.alloc(0), rest: bytes }
  const named = (wanted: string): string | undefined =>
    headers.find(([name]) => name.toLowerCase() === wanted)?.[1].toLowerCase()
  if (named('transfer-encoding') === 'chunked') return chunksIn(bytes, read)
  const length = named('content-length')
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
    const size = /^([0-9a-f]{1,8})(?:;.*)?$/i.exec(bytes.toString('latin1', at, end))?.[1]
    if (size === undefined) throw new NotHttp('a chunk has no size')
    const length = Number.parseInt(size, 16)
    const next = end + 2 + length + 2
    if (bytes.length < next) return undefined
    if (bytes.toString('latin1', next - 2, next) !== '\r\n') throw new NotHttp('a chunk is longer than its size')
    if (length === 0) {
      const body = Buffer.concat(parts.map(([from, to]) => bytes.subarray(from, to)))
      return { body, rest: bytes.subarray(next) }
    }
    parts.push([end + 2, end + 2 + length])
    read.at = next
  }
}
