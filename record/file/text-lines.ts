/** A line of a file, without its line feed; `ended` says whether one follows it. */
export interface TextLine {
  number: number
  /** Undefined where the line is too long to be read. */
  text: string | undefined
  ended: boolean
  /** SHA-256 (hex) of everything before the line; to be asked for before the next line is. */
  digestBefore: () => string | Promise<string>
}

/** The lines of UTF-8 bytes; the empty text after a last line feed is none. What is no UTF-8 becomes U+FFFD. */
export function* splitLines(
  bytes: Uint8Array,
  sha256: (bytes: Uint8Array) => string | Promise<string>,
): Generator<TextLine> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let start = 0
  for (let number = 1; start < bytes.length; number += 1) {
    const begin = start
    const lineFeed = bytes.indexOf(0x0a, start)
    const end = lineFeed === -1 ? bytes.length : lineFeed
    const text = decoder.decode(bytes.subarray(start, end))
    yield { number, text, ended: lineFeed !== -1, digestBefore: () => sha256(bytes.subarray(0, begin)) }
    start = end + 1
  }
}
