/** A line of a file; `start` is its first byte, `ended` says whether a line feed follows it. */
export interface TextLine {
  number: number
  start: number
  text: string
  ended: boolean
}

/** The lines of UTF-8 bytes; the empty text after a last line feed is none. What is no UTF-8 becomes U+FFFD. */
export function splitLines(bytes: Uint8Array): TextLine[] {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const lines: TextLine[] = []
  let start = 0
  while (start < bytes.length) {
    const lineFeed = bytes.indexOf(0x0a, start)
    const end = lineFeed === -1 ? bytes.length : lineFeed
    const text = decoder.decode(bytes.subarray(start, end))
    lines.push({ number: lines.length + 1, start, text, ended: lineFeed !== -1 })
    start = end + 1
  }
  return lines
}
