import type { ServerResponse } from 'node:http'
import { type JsonValue, printJson } from '../../interface/json.js'

export type Answer =
  | { status: number; json: JsonValue }
  /** Plain text, unless a type is given; null: none is said. */
  | { status: number; text: string; type?: string | null }
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
  const head = {
    ...('bytes' in answer && answer.headers),
    ...(body && body.type !== null && { 'content-type': body.type }),
    'content-length': body?.bytes.length ?? 0,
  }
  response.writeHead(answer.status, head).end(body?.bytes)
}
