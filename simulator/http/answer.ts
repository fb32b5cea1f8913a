import type { ServerResponse } from 'node:http'
import { type JsonValue, printJson } from '../../interface/json.js'

export type Answer =
  | { status: number; json: JsonValue }
  | { status: number; text: string }
  /** Neither body nor content type. */
  | { status: number; empty: true }

export const ok = (json: JsonValue): Answer => ({ status: 200, json })

/** The body as it is sent, with its content type; undefined where there is neither. */
export function printBody(answer: Answer): { type: string; bytes: Buffer } | undefined {
  if ('empty' in answer) return undefined
  return 'json' in answer
    ? { type: 'application/json', bytes: Buffer.from(printJson(answer.json), 'utf8') }
    : { type: 'text/plain; charset=UTF-8', bytes: Buffer.from(answer.text, 'utf8') }
}

export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return
  const body = printBody(answer)
  const head = { ...(body && { 'content-type': body.type }), 'content-length': body?.bytes.length ?? 0 }
  response.writeHead(answer.status, head).end(body?.bytes)
}
