import { findPrivateKeys, findTokens } from './forms.js'
import { type Hidden, withoutParts } from './hide.js'
import type { KnownSecrets } from './known-secrets.js'
import { readings } from './readings.js'

/** Characters that are read at once, which bounds the memory for a text full of escapes. */
const pieceLength = 1024 * 1024
/** What stands in two pieces is read with both. */
const overlap = 128 * 1024

/**
 * The text without known secrets in their usual encodings, and without tokens and private keys, which are known by their form;
 * without any in it, the same text. The time grows with the length of the text alone.
 */
export function redact(text: string, ...secrets: readonly KnownSecrets[]): string {
  const hidden: Hidden[] = []
  for (let start = 0; start === 0 || start + overlap < text.length; start += pieceLength) {
    const piece = text.length <= pieceLength ? text : text.slice(start, start + pieceLength + overlap)
    for (const reading of readings(piece)) {
      const hide = (begin: number, end: number, label: string): void => {
        const [from, to] = reading.placeOf(begin, end)
        const last = hidden.at(-1)
        // A text may be full of one secret.
        if (last?.label === label && start + from >= last.from && start + from < last.to)
          last.to = Math.max(last.to, start + to)
        else hidden.push({ from: start + from, to: start + to, label })
      }
      for (const one of secrets) one.find(reading.text, hide)
      findTokens(reading.text, hide)
      findPrivateKeys(reading.text, hide)
    }
  }
  return withoutParts(text, hidden)
}
