/** A text, unit by unit, as it stands and as what its escapes stand for: both in one pass, whatever is in it. */
import { EscapeTail } from './escape-tail.js'
import { emptyPiece, longestPiece, type Reader } from './piece.js'

/** What may begin an escape, or be a byte of UTF-8 that somebody took for a character. */
const escaped = /[%\\&\u0080-\u00ff]/

/** Whether the two readings can differ. */
export const hasEscapes = (text: string): boolean => escaped.test(text)

export function readAsItStands(text: string, reader: Reader): void {
  const piece = emptyPiece(Math.min(longestPiece, text.length))
  for (let start = 0; start < text.length; start += longestPiece) {
    piece.length = Math.min(longestPiece, text.length - start)
    for (let index = 0; index < piece.length; index += 1) {
      piece.codes[index] = text.charCodeAt(start + index)
      piece.from[index] = start + index
      piece.to[index] = start + index + 1
    }
    reader.take(piece)
  }
  reader.end()
}

/**
 * Percent signs, backslashes, entities and bytes of UTF-8 are read as the characters that they stand for, and what comes of
 * that is read once more: JSON in JSON in a URL is read to its end.
 */
export function readEscaped(text: string, reader: Reader): void {
  const tail = new EscapeTail(reader)
  for (let index = 0; index < text.length; index += 1) tail.push(text.charCodeAt(index), index, index + 1)
  tail.end()
}
