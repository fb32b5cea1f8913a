import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type JsonValue, printJson } from '../../lib/json/json.js'
import type { SentForm } from '../participant/participant.js'

export interface Answer {
  status: number
  /** Null: no content type. */
  type: string | null
  content: string | Uint8Array
  headers?: Readonly<Record<string, string>>
  form?: SentForm
}

export const contentTypes = { json: 'application/json', text: 'text/plain; charset=UTF-8' }

export const jsonAnswer = (status: number, json: JsonValue): Answer => ({
  status,
  type: contentTypes.json,
  content: printJson(json),
})

export const ok = (json: JsonValue): Answer => jsonAnswer(200, json)

export const textAnswer = (status: number, content: string): Answer => ({ status, type: contentTypes.text, content })

export const emptyAnswer = (status: number): Answer => ({ status, type: null, content: '' })

export const bytesOf = ({ content }: Answer): Buffer =>
  typeof content === 'string'
    ? Buffer.from(content, 'utf8')
    : Buffer.from(content.buffer, content.byteOffset, content.length)

export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return
  const { status, type, content, form } = answer
  const head: OutgoingHttpHeaders = { ...answer.headers }
  if (type !== null) head['content-type'] = type
  if (form) {
    sendInForm(response, status, head, bytesOf(answer), form)
    return
  }
  head['content-length'] = Buffer.byteLength(content)
  // Bytes would need another packet than the head.
  response.writeHead(status, head).end(content)
}

function sendInForm(
  response: ServerResponse,
  status: number,
  head: OutgoingHttpHeaders,
  bytes: Buffer,
  { inPieces, headersInCapitals, closesConnection }: SentForm,
): void {
  const whole: OutgoingHttpHeaders = inPieces ? head : { ...head, 'content-length': bytes.length }
  if (closesConnection) whole.connection = 'close'
  const named = Object.entries(whole).map(([name, value]) => [headersInCapitals ? name.toUpperCase() : name, value])
  response.writeHead(status, Object.fromEntries(named))
  if (inPieces) for (const piece of piecesOf(bytes)) response.write(piece)
  response.end(inPieces ? undefined : bytes)
}

/** They may end within a character, and may be empty. */
function piecesOf(bytes: Buffer): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / 3))
  return [0, 1, 2].map((index) => bytes.subarray(index * size, (index + 1) * size))
}
