import type { ServerResponse } from 'node:http'
import { type JsonValue, printJson } from '../../interface/json.js'

export type Answer =
  | { status: number; json: JsonValue }
  | { status: number; text: string }
  /** Neither body nor content type. */
  | { status: number; empty: true }

export const ok = (json: JsonValue): Answer => ({ status: 200, json })

export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return
  if ('empty' in answer) {
    response.writeHead(answer.status, { 'content-length': 0 }).end()
    return
  }
  const [type, content] =
    'json' in answer ? ['application/json', printJson(answer.json)] : ['text/plain; charset=UTF-8', answer.text]
  const head = { 'content-type': type, 'content-length': Buffer.byteLength(content) }
  response.writeHead(answer.status, head).end(content)
}
