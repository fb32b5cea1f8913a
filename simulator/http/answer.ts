import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type JsonValue, printJson } from '../../interface/json.js'

export type Answer =
  | { status: number; json: JsonValue }
  /** Plain text, unless a type is given; null: none is said. */
  | { status: number; text: string; type?: string | null }
  | { status: number; bytes: Uint8Array; headers: Readonly<Record<string, string>> }
  /** Neither body nor content type. */
  | { status: number; empty: true }

export const ok = (json: JsonValue): Answer => ({ status: 200, json })

/** A body as it is sent, with its content type. */
export interface PrintedBody {
  type: string | null
  content: string | Uint8Array
}

/** The body of an answer; undefined where there is neither body nor content type. */
export function printBody(answer: Answer): PrintedBody | undefined {
  if ('empty' in answer) return undefined
  if ('json' in answer) return { type: 'application/json', content: printJson(answer.json) }
  if ('text' in answer) {
    const { text, type = 'text/plain; charset=UTF-8' } = answer
    return { type, content: text }
  }
  return { type: 'application/octet-stream', content: answer.bytes }
}

/** The same answer with its JSON printed: for those who need the text more than once. */
export const printed = (answer: Answer): Answer =>
  'json' in answer ? { status: answer.status, text: printJson(answer.json), type: 'application/json' } : answer

export const bytesOf = ({ content }: PrintedBody): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content, 'utf8')
    : Buffer.from(content.buffer, content.byteOffset, content.length)

export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return
  const body = printBody(answer)
  const head: OutgoingHttpHeaders = 'bytes' in answer ? { ...answer.headers } : {}
  if (body && body.type !== null) head['content-type'] = body.type
  head['content-length'] = body ? lengthOf(body) : 0
  // A text goes out in one piece with its head, where bytes would take another.
  response.writeHead(answer.status, head).end(body?.content)
}

const lengthOf = ({ content }: PrintedBody): number =>
  typeof content === 'string' ? Buffer.byteLength(content, 'utf8') : content.length
