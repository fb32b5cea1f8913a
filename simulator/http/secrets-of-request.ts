import type { IncomingMessage } from 'node:http'
import { Redaction } from '../../lib/redaction/redaction.js'

const secretHeader = /auth|token|cookie|secret|password|api-?key|sec-websocket-protocol/i

export const isSecretHeader = (name: string): boolean => secretHeader.test(name)

/** Shorter parts are schemes or cookie names. */
const shortestPart = 8

export function redactionFor({ headers }: Pick<IncomingMessage, 'headers'>): Redaction {
  const redaction = new Redaction()
  for (const [name, value] of Object.entries(headers)) {
    if (!isSecretHeader(name) || value === undefined) continue
    for (const text of [value].flat()) {
      redaction.register(text, name)
      for (const part of text.split(/[\s,;=]+/)) if (part.length >= shortestPart) redaction.register(part, name)
    }
  }
  return redaction
}
