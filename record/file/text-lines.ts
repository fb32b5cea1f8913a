/** A line without its line feed; `ended`: a line feed follows. */
export interface TextLine {
  number: number
  /** Undefined if the line is too long. */
  text: string | undefined
  ended: boolean
  /** SHA-256 (hex) of everything before the line. Call it before the next line is read. */
  digestBefore: () => string | Promise<string>
}

/** Lines of UTF-8 bytes. Invalid bytes become U+FFFD. */
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
