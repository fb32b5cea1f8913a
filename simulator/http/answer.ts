import type { Response } from 'express'
import { type JsonValue, printJson } from '../../interface/json.js'

export type Answer =
  | { status: number; json: JsonValue }
  | { status: number; text: string }
  /** Neither body nor content type. */
  | { status: number; empty: true }

export const ok = (json: JsonValue): Answer => ({ status: 200, json })

export function send(response: Response, answer: Answer): void {
  if (response.headersSent || response.destroyed) return
  response.status(answer.status)
  if ('empty' in answer) {
    response.end()
    return
  }
  const [type, content] =
    'json' in answer ? ['application/json', printJson(answer.json)] : ['text/plain; charset=UTF-8', answer.text]
  const bytes = Buffer.from(content, 'utf8')
  // setHeader on the raw response: Express would add a charset to the JSON type, which the reference does not have.
  response.setHeader('content-type', type)
  response.setHeader('content-length', bytes.length)
  response.end(bytes)
}
