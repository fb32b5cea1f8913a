// Bidirectional controls can make text read as something else than it is, so they are shown as their code points too.
const invisible = /(?![\n\t])[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff\ufffe\uffff]/gu

/** Whether `text` has characters that a terminal or a reader must not get as they are. */
export function hasInvisible(text: string): boolean {
  return text.search(invisible) !== -1
}

/**
 * `text` with every control character (line feed and tab apart), lone surrogate and bidirectional control written as
 * its code point, for example `‹U+001B›`. What a target answered can then not steer a terminal or reorder a line.
 */
export function visible(text: string): string {
  return text.replace(invisible, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `‹U+${code}›`
  })
}

/** As `visible`, on one line: line feeds and tabs are shown as well. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll('\n', '⏎').replaceAll('\t', '⇥')
}

/** The first `limit` characters of `text`; where there are more, a note says how many follow. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  return `${kept} … [cut: ${text.length - kept.length} more characters]`
}
