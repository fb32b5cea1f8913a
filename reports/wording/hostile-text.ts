// Bidirectional controls change the order in which text is read.
const invisible = /(?![\n\t])[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\ufffe\uffff]/gu

export function hasInvisible(text: string): boolean {
  return text.search(invisible) !== -1
}

/** Prints control characters (except line feed and tab), lone surrogates and bidirectional controls as `‹U+001B›`. */
export function visible(text: string): string {
  return text.replace(invisible, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `‹U+${code}›`
  })
}

/** As `visible`, on one line: also prints line feeds and tabs. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '⏎').replaceAll('\t', '⇥')
}

export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  return `${kept} … [cut: ${text.length - kept.length} more characters]`
}
