/** All output passes here. Replaces secrets, and escapes control characters. */
import { withoutKnownSecrets } from './redaction/redaction.js'

declare const isOutgoing: unique symbol

/** Only `outgoing` creates it. */
export type Outgoing = string & { readonly [isOutgoing]: true }

export const outgoing = (text: string): Outgoing => escaped(withoutKnownSecrets(text)) as Outgoing // its only maker

/**
 * JSON of one line. It searches each text before the escapes of JSON are printed, which needs a third of the time. Only a line with a secret is
 * searched as a whole.
 * @example outgoingJson({ url: 'http://127.0.0.1:8080/' }) // '{"url":"http://127.0.0.1:8080/"}'
 */
export function outgoingJson(value: object): Outgoing {
  const text = JSON.stringify(value)
  return hasSecret(value) ? outgoing(text) : (escaped(text) as Outgoing) // nothing to replace
}

function hasSecret(value: unknown): boolean {
  if (typeof value === 'string') return withoutKnownSecrets(value) !== value
  if (Array.isArray(value)) return value.some(hasSecret)
  if (typeof value !== 'object' || value === null) return false
  for (const [name, member] of Object.entries(value)) if (hasSecret(name) || hasSecret(member)) return true
  return false
}

/** Not line feeds, tabs, CRLF. Bidirectional controls reorder a line. */
const control = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff](?<!\r(?=\n)|[\n\t])/gu

const escaped = (text: string): string => text.replace(control, (character) => `\\u${hexOf(character)}`)

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0')
