/** All output passes here. Replaces secrets, and escapes control characters. */
import { withoutKnownSecrets } from './redaction/redaction.js'

declare const isOutgoing: unique symbol

/** Only `outgoing` creates it. */
export type Outgoing = string & { readonly [isOutgoing]: true }

export const outgoing = (text: string): Outgoing => escaped(withoutKnownSecrets(text)) as Outgoing // its only maker

/** Not line feeds, tabs, CRLF. Bidirectional controls reorder a line. */
const control = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff](?<!\r(?=\n)|[\n\t])/gu

const escaped = (text: string): string => text.replace(control, (character) => `\\u${hexOf(character)}`)

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0')
