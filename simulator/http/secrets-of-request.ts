import type { IncomingMessage } from 'node:http'
import { Redaction } from '../../lib/redaction/redaction.js'

const secretHeader = /auth|token|cookie|secret|password|api-?key|sec-websocket-protocol/i

/** Whether the value of a header with this name is a secret. */
export const isSecretHeader = (name: string): boolean => secretHeader.test(name)

/** Shorter parts of such a header are its scheme, or names of cookies. */
const shortestPart = 8

/** Takes out what this request brings as a secret, wherever it is repeated. */
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
