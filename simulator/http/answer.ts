import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { SentForm } from '../participant/participant.js'

export type Answer =
  | { status: number; json: JsonValue }
  /** Default: plain text; null: none. */
  | { status: number; text: string; type?: string | null; form?: SentForm; headers?: Readonly<Record<string, string>> }
  | { status: number; bytes: Uint8Array; headers: Readonly<Record<string, string>> }
  | { status: number; empty: true }

export const contentTypes = { json: 'application/json', text: 'text/plain; charset=UTF-8' }

export const ok = (json: JsonValue): Answer => ({ status: 200, json })

export interface PrintedBody {
  type: string | null
  content: string | Uint8Array
}

/** Undefined without body and content type. */
export function printBody(answer: Answer): PrintedBody | undefined {
  if ('empty' in answer) return undefined
  if ('json' in answer) return { type: contentTypes.json, content: printJson(answer.json) }
  if ('text' in answer) {
    const { text, type = contentTypes.text } = answer
    return { type, content: text }
  }
  return { type: 'application/octet-stream', content: answer.bytes }
}

/** For repeated use of the text. */
export const printed = (answer: Answer): Answer =>
  'json' in answer ? { status: answer.status, text: printJson(answer.json), type: contentTypes.json } : answer

export const bytesOf = ({ content }: PrintedBody): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content, 'utf8')
    : Buffer.from(content.buffer, content.byteOffset, content.length)

export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return
  const body = printBody(answer)
  const head: OutgoingHttpHeaders = 'headers' in answer ? { ...answer.headers } : {}
  if (body && body.type !== null) head['content-type'] = body.type
  if ('text' in answer && answer.form) {
    sendInForm(response, answer.status, head, body, answer.form)
    return
  }
  head['content-length'] = body ? lengthOf(body) : 0
  // Bytes would need another packet than the head.
  response.writeHead(answer.status, head).end(body?.content)
}

function sendInForm(
  response: ServerResponse,
  status: number,
  head: OutgoingHttpHeaders,
  body: PrintedBody | undefined,
  { inPieces, headersInCapitals, closesConnection }: SentForm,
): void {
  const bytes = body ? bytesOf(body) : Buffer.alloc(0)
  const whole: OutgoingHttpHeaders = inPieces ? head : { ...head, 'content-length': bytes.length }
  if (closesConnection) whole.connection = 'close'
  const named = Object.entries(whole).map(([name, value]) => [headersInCapitals ? name.toUpperCase() : name, value])
  response.writeHead(status, Object.fromEntries(named))
  if (inPieces) for (const piece of piecesOf(bytes)) response.write(piece)
  response.end(inPieces ? undefined : bytes)
}

/** Pieces may end within a character. */
function piecesOf(bytes: Buffer): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / 3))
  return [0, 1, 2].map((index) => bytes.subarray(index * size, (index + 1) * size)).filter(({ length }) => length > 0)
}

const lengthOf = ({ content }: PrintedBody): number =>
  typeof content === 'string' ? Buffer.byteLength(content, 'utf8') : content.length
