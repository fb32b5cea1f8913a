/**
 * What leaves the process passes here: files, console, errors, signals, crash output. Secrets are replaced, and control characters
 * are written as escapes, in the form that JSON has for them.
 */
import { withoutKnownSecrets } from './redaction/secrets.js'

declare const isOutgoing: unique symbol

/** A text that may leave the process. Only `outgoing` makes one. */
export type Outgoing = string & { readonly [isOutgoing]: true }

export const outgoing = (text: string): Outgoing => escaped(withoutKnownSecrets(text)) as Outgoing // its only maker

/** Line feeds and tabs apart, and the carriage return of a line that ends as on Windows. Bidirectional controls reorder a line. */
const control = /(?!\r\n|[\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu

const escaped = (text: string): string => text.replace(control, (character) => `\\u${hexOf(character)}`)

const hexOf = (character: string): string => character.charCodeAt(0).toString(16).padStart(4, '0')
