export interface TextLine {
  number: number
  /** Undefined if the line cannot be read. */
  text: string | undefined
  /** Why it cannot be read, as a predicate. */
  problem?: string
  ended: boolean
  /** SHA-256 (hex) of all earlier bytes. Call it before the next line is read. */
  digestBefore: () => string | Promise<string>
}

/** Invalid bytes become U+FFFD. */
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
