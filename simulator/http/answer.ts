import type { ServerResponse } from 'node:http'
import { type JsonValue, printJson } from '../../interface/json.js'
import type { SentForm } from '../participant/door.js'

export type Answer =
  | { status: number; json: JsonValue }
  /** Plain text, unless a type is given; null: none is said. */
  | { status: number; text: string; type?: string | null; form?: SentForm }
  | { status: number; bytes: Uint8Array; headers: Readonly<Record<string, string>> }
  /** Neither body nor content type. */
  | { status: number; empty: true }

export const ok = (json: JsonValue): Answer => ({ status: 200, json })

/** The body as it is sent, with its content type; undefined where there is neither. */
export function printBody(answer: Answer): { type: string | null; bytes: Buffer } | undefined {
  if ('empty' in answer) return undefined
  if ('json' in answer) return { type: 'application/json', bytes: Buffer.from(printJson(answer.json), 'utf8') }
  if ('text' in answer) {
    const { text, type = 'text/plain; charset=UTF-8' } = answer
    return { type, bytes: Buffer.from(text, 'utf8') }
  }
  const { buffer, byteOffset, length } = answer.bytes
  return { type: 'application/octet-stream', bytes: Buffer.from(buffer, byteOffset, length) }
}

export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return
  const body = printBody(answer)
  const { inPieces, headersInCapitals } = ('text' in answer && answer.form) || {}
  const head = Object.entries({
    ...('bytes' in answer && answer.headers),
    ...(body && body.type !== null && { 'content-type': body.type }),
    ...(!inPieces && { 'content-length': body?.bytes.length ?? 0 }),
  }).map(([name, value]) => [headersInCapitals ? name.toUpperCase() : name, value] as const)
  response.writeHead(answer.status, Object.fromEntries(head))
  if (inPieces && body) for (const piece of piecesOf(body.bytes)) response.write(piece)
  response.end(inPieces ? undefined : body?.bytes)
}

/** Wherever they end: in the middle of a character, too. */
function piecesOf(bytes: Buffer): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / 3))
  return [0, 1, 2].map((index) => bytes.subarray(index * size, (index + 1) * size)).filter(({ length }) => length > 0)
}
