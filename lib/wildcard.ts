/**
 * A test of whole texts; `*` in the pattern matches any text. Needs linear time for any pattern, because it searches each
 * part once, from left to right: a link to a report may contain a hostile pattern.
 * @example wildcard('SAW-*')('SAW-READ-AS') // true
 */
export function wildcard(pattern: string): (text: string) => boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return (text) => text === pattern
  const parts = others.filter((part) => part !== '')
  return (text) => {
    const end = text.length - last.length
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
    let from = first.length
    for (const part of parts) {
      const found = text.indexOf(part, from)
      if (found === -1 || found + part.length > end) return false
      from = found + part.length
    }
    return true
  }
}

/** A test of parts of texts. */
export const wildcardIn = (pattern: string): ((text: string) => boolean) => wildcard(`*${pattern}*`)
